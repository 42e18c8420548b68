/* What msci.h promises beyond the examples: refusals, errors in words, calls from many threads, and
 * what a hostile source or a caller's odd signals do. */
#include <msci.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char* what, const char* answer) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, answer ? answer : "(nothing)");
  ++failures;
}

/* Whether a lint of `source` ends with that status and says that. */
static int lint_says(const char* source, size_t size, const char* const* options,
                     msci_status status, const char* words) {
  char* answer = NULL;
  const msci_status found = msci_lint(source, size, options, &answer);
  const int holds = found == status && answer && strstr(answer, words);
  if (!holds) fprintf(stderr, "status %d: %s\n", found, answer ? answer : "(nothing)");
  msci_free(answer);
  return holds;
}

static const char* good = "kernel void f(device float* x [[buffer(0)]]) { x[0] = 1.0f; }\n";

static void* lint_often(void* source) {
  const char* text = source;
  size_t wrong = 0;
  const char* words = text == good ? "\"valid\":true" : "metal.restrict";
  for (int i = 0; i < 5; ++i)
    wrong += !lint_says(text, strlen(text), NULL, text == good ? MSCI_FINE : MSCI_NOT_FINE, words);
  return wrong ? source : NULL;
}

int main(void) {
  const char* bad = "kernel void f(device float* restrict x [[buffer(0)]]) { x[0] = 1.0f; }\n";
  const char* named[] = {"--stdin-name", "mine.metal", NULL};
  const char* unknown[] = {"--no-such-option", NULL};
  const char* not_a_report[] = {"--list-rules", NULL};
  const char* no_task[] = {"--task", "nothing", NULL};

  check(lint_says(good, strlen(good), NULL, MSCI_FINE, "\"valid\":true"), "a good kernel", "");
  check(lint_says(bad, strlen(bad), named, MSCI_NOT_FINE, "\"file\":\"mine.metal\""),
        "a bad kernel", "");
  check(lint_says(good, strlen(good), unknown, MSCI_COULD_NOT_CHECK, "no-such-option"),
        "an unknown option", "");
  check(lint_says(good, strlen(good), not_a_report, MSCI_COULD_NOT_CHECK, "other than a report"),
        "no report", "");
  check(lint_says(good, 0, NULL, MSCI_COULD_NOT_CHECK, "empty"), "an empty source", "");

  /* Clang runs out of stack on this one, in a process that is not ours. */
  const size_t depth = 1 << 20;
  char* nested = malloc(depth);
  memset(nested, '(', depth);
  check(lint_says(nested, depth, NULL, MSCI_NOT_FINE, "\"valid\":false"), "a hostile source", "");
  free(nested);

  char* answer = NULL;
  check(msci_evaluate(good, strlen(good), no_task, &answer) == MSCI_COULD_NOT_CHECK &&
            strstr(answer, "nothing"),
        "an unknown task", answer);
  msci_free(answer);
  check(msci_list_tasks(&answer) == MSCI_FINE && strstr(answer, "\"name\":\"saxpy\""), "tasks",
        answer);
  msci_free(answer);
  msci_free(NULL);

  signal(SIGPIPE, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  check(lint_says(good, strlen(good), NULL, MSCI_FINE, "\"valid\":true"), "with signals blocked",
        "");

  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, lint_often, (void*)(i % 2 ? good : bad));
  for (int i = 0; i < 4; ++i) {
    void* wrong = NULL;
    pthread_join(threads[i], &wrong);
    check(!wrong, "calls from many threads", "");
  }

  signal(SIGCHLD, SIG_IGN);
  check(lint_says(good, strlen(good), NULL, MSCI_COULD_NOT_CHECK, "SIGCHLD is ignored"),
        "with SIGCHLD ignored", "");
  return failures != 0;
}
