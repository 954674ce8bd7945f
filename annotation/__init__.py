"""What people see in videos: the videos of a folder, a sample of them, a local page that shows it, and the answers."""
