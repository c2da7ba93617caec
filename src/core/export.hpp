// What of the library others can call: all else is hidden in libsolenoid.so.
#pragma once

#define SOLENOID_API __attribute__((visibility("default")))
