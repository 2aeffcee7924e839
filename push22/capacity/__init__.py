"""`push22 capacity`: what a number of players needs, from what a round costs."""
