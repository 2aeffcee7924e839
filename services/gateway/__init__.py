"""The door: players, operators and support; messages in, commands out, views back."""
