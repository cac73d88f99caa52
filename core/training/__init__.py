"""What trainers need: the reward, as a file that stands by itself."""
