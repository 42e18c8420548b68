// The entry points of the tools that share one program.
#pragma once

namespace msci {

int lint_main(int argc, char** argv);
int eval_main(int argc, char** argv);
int tasks_main(int argc, char** argv);
int metal_main(int argc, char** argv);
int xcrun_main(int argc, char** argv);

// `SEED NUMBER [TRANSFORMATION]`: answers the prompt on standard input with a rewritten kernel.
int rewrite_main(int argc, char** argv);

}  // namespace msci
