"""What a command's exit code means."""

FAULT = 1  # of suffice itself
MISTAKE = 2  # that the message explains
INTERRUPTED = 130  # 128 + SIGINT, as shells count
BROKEN_PIPE = 141  # 128 + SIGPIPE
