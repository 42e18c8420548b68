// msci-mesa: has Mesa's compiler for Apple GPUs compile kernels, and passes on what it prints.
//
// Usage: msci-mesa GENERATION VARIANT < modules
//   GENERATION: 13 (M1) or 14 (M2); VARIANT: G, or S, C, D of a Pro, Max or Ultra.
//   modules: for each kernel, its size in bytes as a little-endian uint32, and so much SPIR-V.
// On standard output, "msci-device NAME" and "msci-driver VERSION" come first, then "msci-kernel NUMBER"
// before what Mesa prints of a kernel; the same line goes to standard error. "msci-refused NUMBER TEXT":
// Mesa does not take the module. "msci-end" ends the output. Status 3: there is no device of Apple.
//
// Mesa's driver runs without a GPU on its own no-op kernel interface (libasahi_noop_drm_shim.so), which must
// be preloaded. The shim lacks two things that the driver asks libdrm for. This program has those
// functions itself, under their names, so it must be linked with -rdynamic.
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static uint32_t generation = 13;
static uint32_t variant = 'G';

// ---- what the shim lacks

// DRM_IOCTL_ASAHI_GET_PARAMS: where the answer goes, and how its first fields look.
enum { asahi_get_params = 0x40 };
struct params_request {
  uint32_t group, padding;
  uint64_t pointer, size;
};
struct params {
  uint64_t features;
  uint32_t generation, variant;
};
enum { soft_faults = 1 };  // a feature: loads may be executed before the branch that guards them

int drmIoctl(int file, unsigned long request, void* argument) {
  int status;
  do status = ioctl(file, request, argument);
  while (status == -1 && (errno == EINTR || errno == EAGAIN));
  if (status == 0 && _IOC_TYPE(request) == 'd' && _IOC_NR(request) == asahi_get_params) {
    const struct params_request* asked = argument;
    struct params* params = (struct params*)(uintptr_t)asked->pointer;
    if (asked->group == 0 && asked->size >= sizeof *params) {
      params->features |= soft_faults;
      params->generation = generation;
      params->variant = variant;
    }
  }
  return status;
}

// Any open file stands for the fence: nothing runs that could be waited for.
int drmSyncobjExportSyncFile(int file, uint32_t handle, int* fence) {
  (void)file, (void)handle;
  *fence = open("/dev/null", 0);
  return *fence < 0 ? -errno : 0;
}

// Mesa's own library of OpenCL functions has a fixed path, which lies below the root of the packages.
int open64(const char* path, int flags, ...) {
  static const char library[] = "/usr/lib/clc/";
  static int (*next)(const char*, int, unsigned);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "open64");
  const char* root = getenv("MSCI_MESA_ROOT");
  char moved[4096];
  if (root && strncmp(path, library, sizeof library - 1) == 0 &&
      snprintf(moved, sizeof moved, "%s%s", root, path) < (int)sizeof moved)
    path = moved;
  return next(path, flags, 0600);
}

// ---- OpenCL, loaded when the program runs

static void* loader;

static void fail(const char* what) {
  fprintf(stderr, "msci-mesa: %s\n", what);
  exit(3);
}

static void* function(const char* name) {
  void* found = dlsym(loader, name);
  if (!found) fail(name);
  return found;
}
#define CALL(name) ((__typeof__(&name))function(#name))

static cl_device_id find_apple(char* name, size_t size) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (CALL(clGetPlatformIDs)(16, platforms, &count) != CL_SUCCESS) return NULL;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    cl_device_id device;
    if (CALL(clGetDeviceIDs)(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS)
      continue;
    CALL(clGetDeviceInfo)(device, CL_DEVICE_NAME, size, name, NULL);
    if (strncmp(name, "Apple ", 6) == 0) return device;
  }
  return NULL;
}

static void compile(cl_context context, cl_device_id device, unsigned number, const void* module,
                    size_t size) {
  cl_int error;
  cl_program program = CALL(clCreateProgramWithIL)(context, module, size, &error);
  if (error == CL_SUCCESS) error = CALL(clBuildProgram)(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel;
  if (error == CL_SUCCESS) error = CALL(clCreateKernelsInProgram)(program, 1, &kernel, NULL);
  fflush(stdout);
  if (error != CL_SUCCESS) printf("\nmsci-refused %u OpenCL error %d\n", number, error);
}

// ---- limits: what a kernel makes of a compiler must stay in this process

static void limit(int resource, rlim_t most) {
  const struct rlimit both = {most, most};
  setrlimit(resource, &both);
}

static void set_limits(void) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 120);
  limit(RLIMIT_DATA, (rlim_t)2 << 30);  // not RLIMIT_AS: the shim reserves 4 GB, which it does not use
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// Denies, for good, what compiling does not need. Mesa has loaded all of its own by now.
static void forbid_calls(void) {
  static const int calls[] = {
      SCMP_SYS(socket),   SCMP_SYS(connect),   SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(ptrace),
      SCMP_SYS(kill),     SCMP_SYS(unlink),    SCMP_SYS(unlinkat), SCMP_SYS(rename),
      SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir),  SCMP_SYS(mkdirat),  SCMP_SYS(link),
      SCMP_SYS(linkat),   SCMP_SYS(symlink),   SCMP_SYS(symlinkat), SCMP_SYS(truncate),
      SCMP_SYS(chmod),    SCMP_SYS(fchmodat),  SCMP_SYS(mount),  SCMP_SYS(unshare),  SCMP_SYS(creat)};
  const uint32_t denied = SCMP_ACT_ERRNO(EACCES);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) seccomp_rule_add(filter, denied, calls[i], 0);
  for (int mode = O_WRONLY; mode <= O_RDWR; ++mode) {  // files, to write
    const struct scmp_arg_cmp second = SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode);
    const struct scmp_arg_cmp third = SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode);
    seccomp_rule_add(filter, denied, SCMP_SYS(open), 1, second);
    seccomp_rule_add(filter, denied, SCMP_SYS(openat), 1, third);
  }
  if (!filter || seccomp_load(filter) != 0) fputs("msci-mesa: this system has no seccomp\n", stderr);
}

int main(int count, char** arguments) {
  enum { most_bytes = 16 << 20 };
  if (count != 3) fail("usage: msci-mesa GENERATION VARIANT < modules");
  generation = (uint32_t)atoi(arguments[1]);
  variant = (uint32_t)arguments[2][0];
  set_limits();
  loader = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!loader) fail(dlerror());
  char name[256] = "", version[256] = "";
  cl_device_id device = find_apple(name, sizeof name);
  if (!device) fail("Mesa offers no OpenCL device of Apple");
  CALL(clGetDeviceInfo)(device, CL_DRIVER_VERSION, sizeof version, version, NULL);
  cl_int error;
  cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &error);
  if (error != CL_SUCCESS) fail("Mesa makes no OpenCL context");
  printf("msci-device %s\nmsci-driver %s\n", name, version);
  forbid_calls();
  uint32_t size;
  for (unsigned number = 0; fread(&size, sizeof size, 1, stdin) == 1; ++number) {
    void* module = size <= most_bytes ? malloc(size) : NULL;
    if (!module || fread(module, 1, size, stdin) != size) fail("a module is cut off or too large");
    fflush(stdout), fflush(stderr);
    printf("\nmsci-kernel %u\n", number);
    fprintf(stderr, "\nmsci-kernel %u\n", number);
    fflush(stdout), fflush(stderr);
    compile(context, device, number, module, size);
    free(module);
  }
  puts("\nmsci-end");
  fflush(stdout);
  _exit(0);  // nothing is gained by taking drivers down
}
