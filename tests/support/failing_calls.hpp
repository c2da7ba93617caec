// Calls of the system that fail on demand, in this process.
#pragma once

extern "C" {

// The at-th further call (failing_calls.cpp names them) on a file with `part` in its name fails
// with EIO, and where `always` is set all later ones too. at: 0 for none.
void fail_call(const char* call, long at, const char* part, int always);
long failed_calls();  // since then
}
