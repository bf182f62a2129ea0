"""Disks and GPUs, sampled by child processes."""
