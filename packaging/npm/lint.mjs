#!/usr/bin/env node
// msci-lint as a WebAssembly module on Node: the options, output and exit statuses of the native program.
import { run } from './program.mjs';
import { serve } from './server.mjs';

const args = process.argv.slice(2);
if (args.includes('--lsp')) serve(args);
else process.exit(run(args));
