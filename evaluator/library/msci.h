/* libmsci: lints and evaluates Metal compute kernels for a program in any language.
 *
 * Each call runs one of msci's programs and waits for it. So neither a source that crashes the
 * compiler nor a kernel that misbehaves can harm the caller. The library has no state: many threads
 * may call it at once. It does not change the caller's signals, environment, current folder or
 * streams. A program runs with the caller's environment and current folder, and in its process
 * group; it is killed when the calling thread ends. Its warnings go to the caller's standard error.
 *
 * Calls fail with MSCI_COULD_NOT_CHECK if the caller ignores SIGCHLD, or waits for all of its
 * children at once: the library then cannot learn how its program ended.
 *
 * Later versions keep all names and only add functions. */
#ifndef MSCI_H
#define MSCI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MSCI_API __attribute__((visibility("default")))
#else
#define MSCI_API
#endif

/* The result of a call; the same numbers as the programs' exit statuses. */
typedef enum msci_status {
  MSCI_FINE = 0,            /* the source is accepted; the kernel is right on all sizes */
  MSCI_NOT_FINE = 1,        /* it is refused, or wrong; the answer says why */
  MSCI_COULD_NOT_CHECK = 2, /* the answer is a sentence with the reason */
} msci_status;

/* Each call sets `*answer` to a text that msci_free releases; to NULL only if memory is exhausted.
 * It is JSON in UTF-8 unless the status is MSCI_COULD_NOT_CHECK. docs/json.md describes the fields.
 *
 * `options` are arguments of the program, as its --help lists them ("--task", "saxpy"), ended by
 * NULL; NULL itself means none. An option that prints anything but a report is an error. */

/* The findings of msci-lint on a source of `size` bytes: one object, as msci-lint --json prints. */
MSCI_API msci_status msci_lint(const char* source, size_t size, const char* const* options,
                               char** answer);

/* The evaluation of a source of `size` bytes, Metal or a translated program: one object for each
 * task, each on a line, as msci-eval --json prints. The options must include "--task" or "--plan".
 * Kernels run for as long as their sizes take; "--time-limit" limits each size. */
MSCI_API msci_status msci_evaluate(const char* source, size_t size, const char* const* options,
                                   char** answer);

/* The tasks, each an object on a line, as msci-tasks list --json prints. */
MSCI_API msci_status msci_list_tasks(char** answer);

/* The version of this library: "0.1.0". Do not free it. */
MSCI_API const char* msci_version(void);

/* Releases an answer; does nothing for NULL. */
MSCI_API void msci_free(char* answer);

#ifdef __cplusplus
}
#endif

#endif
