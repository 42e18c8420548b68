// The platform that a source is compiled for: macOS on a little-endian 64-bit processor, as
// __METAL_MACOS__ says. The names are those that hosts and kernels share.
#pragma clang system_header
#ifndef MSCI_TARGET_CONDITIONALS
#define MSCI_TARGET_CONDITIONALS

#define TARGET_OS_MAC 1
#define TARGET_OS_OSX 1
#define TARGET_OS_IPHONE 0
#define TARGET_OS_IOS 0
#define TARGET_OS_TV 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_VISION 0
#define TARGET_OS_BRIDGE 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_UIKITFORMAC 0
#define TARGET_OS_DRIVERKIT 0
#define TARGET_OS_SIMULATOR 0
#define TARGET_OS_EMBEDDED 0
#define TARGET_OS_LINUX 0
#define TARGET_OS_UNIX 0
#define TARGET_OS_WINDOWS 0
#define TARGET_OS_WIN32 0
#define TARGET_IPHONE_SIMULATOR 0

#define TARGET_RT_LITTLE_ENDIAN 1
#define TARGET_RT_BIG_ENDIAN 0
#define TARGET_RT_64_BIT 1

#endif
