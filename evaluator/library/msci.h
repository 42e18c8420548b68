/* libmsci: lints and evaluates Metal compute kernels for a program in any language.
 *
 * Each call starts msci's own programs, and waits for them. So neither a source that makes the
 * compiler crash nor a kernel that misbehaves can harm the caller, and the library holds no state:
 * calls may come from many threads at once, and each is as good as its own process. A caller that
 * ignores SIGCHLD, or waits for all of its children at once, takes the library's from it; calls
 * then fail with MSCI_COULD_NOT_CHECK. Otherwise it leaves the process alone: signals, environment,
 * current folder, streams. Programs run with the caller's environment and current folder; their
 * warnings go to its standard error.
 *
 * Names are kept from version to version; functions are only ever added. */
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

/* What a call came to; the same numbers as the programs' exit statuses. */
typedef enum msci_status {
  MSCI_FINE = 0,            /* the source is accepted; the kernel is right on all sizes */
  MSCI_NOT_FINE = 1,        /* it is refused, or wrong; the answer says why */
  MSCI_COULD_NOT_CHECK = 2, /* the answer is a sentence that says why */
} msci_status;

/* Each call sets `*answer` to a text that msci_free takes back; to NULL only where no memory is
 * left. It is JSON in UTF-8 unless the status is MSCI_COULD_NOT_CHECK. docs/json.md states the
 * fields.
 *
 * `options` are words of the program's command line, as its --help lists them ("--task", "saxpy"),
 * ended by NULL; none for NULL. What would write anything but a report to standard output is
 * refused. */

/* The findings of msci-lint on a source of `size` bytes: one object, as of msci-lint --json. */
MSCI_API msci_status msci_lint(const char* source, size_t size, const char* const* options,
                               char** answer);

/* What msci-eval says of a source of `size` bytes, Metal or a translated program: one object for
 * each task, one a line, as of msci-eval --json. "--task" or "--plan" must be among the options.
 * Runs a kernel for as long as its sizes take; "--time-limit" bounds each. */
MSCI_API msci_status msci_evaluate(const char* source, size_t size, const char* const* options,
                                   char** answer);

/* The tasks, one object a line, as of msci-tasks list --json. */
MSCI_API msci_status msci_list_tasks(char** answer);

/* The version of this library: "0.1.0". Not to be freed. */
MSCI_API const char* msci_version(void);

/* Takes an answer back; NULL is fine. */
MSCI_API void msci_free(char* answer);

#ifdef __cplusplus
}
#endif

#endif
