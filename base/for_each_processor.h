// A function that is compiled once for each kind of processor, so that its loops become vectors of
// the processor that runs them, also those of functions that it calls, if they are inlined.
#pragma once

#ifdef __x86_64__
#define MSCI_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MSCI_FOR_EACH_PROCESSOR
#endif
