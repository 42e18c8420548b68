/* Lints a kernel, and evaluates it if it is accepted:
 *   cc evaluate.c $(pkg-config --cflags --libs msci) -o evaluate && ./evaluate heat.metal heat2d */
#include <msci.h>
#include <stdio.h>

/* Prints the result of a call, and frees its answer. */
static msci_status tell(const char* what, msci_status status, char* answer) {
  const char* words[] = {"fine", "not fine", "could not check"};
  printf("%s: %s\n%s\n", what, words[status], answer ? answer : "no memory is left");
  msci_free(answer);
  return status;
}

int main(int argc, char** argv) {
  static char kernel[1 << 20];
  if (argc != 3) return fputs("usage: evaluate KERNEL.metal TASK\n", stderr), MSCI_COULD_NOT_CHECK;
  FILE* file = fopen(argv[1], "rb");
  if (!file) return perror(argv[1]), MSCI_COULD_NOT_CHECK;
  const size_t size = fread(kernel, 1, sizeof kernel, file);
  fclose(file);

  const char* options[] = {"--task", argv[2], NULL};
  const char* untimed[] = {"--task", argv[2], "--verify-only", NULL};
  char* answer = NULL;
  printf("libmsci %s\n", msci_version());
  msci_status status = msci_lint(kernel, size, options, &answer);
  if (tell("lint", status, answer) != MSCI_FINE) return status;
  status = msci_evaluate(kernel, size, untimed, &answer);
  return tell("evaluate", status, answer);
}
