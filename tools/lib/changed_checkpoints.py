"""tools/validate checkpoints: restarts from checkpoints in which one array is another, beside sanitizers (docs/reliability.md)."""
import os
import subprocess

from program import ROOT

CASES = "tests/fuzz/seeds/restart"
MOST_MEGABYTES = 1024  # that an input may ask for at once


def changed_checkpoints(options):
    """The exit code: 0 where nothing was found."""
    if code := subprocess.call([ROOT / "tools/build", "--preset", "sanitize", "changed_checkpoints"]):
        return code
    environment = dict(os.environ,  # MPI keeps memory until the process ends
                       ASAN_OPTIONS=f"detect_leaks=0:max_allocation_size_mb={MOST_MEGABYTES}", UBSAN_OPTIONS="print_stacktrace=1")
    return subprocess.call([ROOT / "build-sanitize/tests/changed_checkpoints", str(options.count), str(options.seed), "0",
                            *sorted((ROOT / CASES).glob("*.toml"))], env=environment)
