"""What the door costs, each figure beside its floor."""
