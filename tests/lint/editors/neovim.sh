#!/usr/bin/env bash
# Neovim, without a screen, as the editor of msci-lint --lsp: opens a kernel, sees the diagnostic, carries out the fix, and sees
# it go; then asks about names, renames one, and runs a code lens:
#   tests/lint/editors/neovim.sh BUILD/bin/msci-lint
# Skips with a message and exit status 77 without Neovim (apt-get install neovim; 0.7 or later).
set -euo pipefail
lint=$(realpath --no-symlinks "$1")  # msci-lint is a link to msci, which acts by its name
command -v nvim >/dev/null || { echo "SKIP: Neovim is not installed (apt-get install neovim)"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/editor_session.sh"
cat >"$work/drive.lua" <<'L'
local function fail(why)
  io.stderr:write(why .. "\n")
  vim.cmd("cquit 1")
end
local function wait_for(what, holds)
  if not vim.wait(20000, holds, 50) then fail("never came: " .. what) end
end
local client = vim.lsp.start_client({ name = "msci", cmd = { os.getenv("MSCI_LINT"), "--lsp", "--no-config" } })
vim.lsp.buf_attach_client(0, client)
wait_for("a diagnostic", function() return #vim.diagnostic.get(0) == 1 end)
local found = vim.diagnostic.get(0)[1]
if found.code ~= "metal.restrict" or found.lnum ~= 2 then fail("another diagnostic: " .. vim.inspect(found)) end
local asked = {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = 2, character = 0 }, ["end"] = { line = 2, character = 60 } },
  context = { diagnostics = {} },
}
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", asked, 20000)
local action
for _, each in ipairs(answers[client].result) do
  if each.isPreferred then action = each end
end
if not action then fail("no quick fix") end
vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
local line = vim.api.nvim_buf_get_lines(0, 2, 3, true)[1]
if not line:find("__restrict x", 1, true) then fail("the fix left: " .. line) end
wait_for("the end of the diagnostic", function() return #vim.diagnostic.get(0) == 0 end)
local place = { textDocument = asked.textDocument, position = { line = 2, character = 13 } }
local hovered = vim.lsp.buf_request_sync(0, "textDocument/hover", place, 20000)[client].result
if not hovered or not hovered.contents.value:find("void f", 1, true) then fail("hover: " .. vim.inspect(hovered)) end
place.position = { line = 4, character = 9 }
local listed = vim.lsp.buf_request_sync(0, "textDocument/completion", place, 20000)[client].result
local offered = vim.lsp.util.text_document_completion_list_to_complete_items(listed, "threadgroup_b")
if #offered ~= 1 or offered[1].word ~= "threadgroup_barrier" then fail("completion: " .. vim.inspect(offered)) end
local function ask(method, more)
  local params = vim.tbl_extend("force", { textDocument = asked.textDocument, position = { line = 4, character = 2 } }, more or {})
  local reply = vim.lsp.buf_request_sync(0, method, params, 60000)[client]
  if not reply or reply.err or reply.error then fail(method .. ": " .. vim.inspect(reply)) end
  return reply.result
end
local encoding = vim.lsp.get_client_by_id(client).offset_encoding
local items = vim.lsp.util.locations_to_items(ask("textDocument/references", { context = { includeDeclaration = true } }), encoding)
if #items ~= 2 or items[1].lnum ~= 4 or items[2].lnum ~= 5 then fail("references: " .. vim.inspect(items)) end
if ask("textDocument/prepareRename").placeholder ~= "y" then fail("prepareRename") end
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "result" }), encoding)
line = vim.api.nvim_buf_get_lines(0, 4, 5, true)[1]
if line ~= "  result[i] = x[i];" then fail("the rename left: " .. line) end
if #ask("textDocument/semanticTokens/full").data % 5 ~= 0 then fail("semantic tokens") end
if ask("textDocument/foldingRange")[1].startLine ~= 3 then fail("folds") end
vim.api.nvim_buf_set_lines(0, 4, 5, true, { "  auto p = result; p[i] = max(x[i], 1.0f);" })
local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 9, character = 0 } }
if ask("textDocument/inlayHint", { range = whole })[1].label ~= ": device float*" then fail("inlay hints") end
local help = ask("textDocument/signatureHelp", { position = { line = 4, character = 36 } })
local lines = vim.lsp.util.convert_signature_help_to_markdown_lines(help, "metal", { "(", "," })
if not vim.inspect(lines):find("float max(float x, float y)", 1, true) then fail("signature help: " .. vim.inspect(lines)) end
if #ask("workspace/symbol", { query = "f" }) ~= 1 then fail("workspace symbols") end
vim.cmd("silent edit! seed.metal")
vim.lsp.buf_attach_client(0, client)
asked.textDocument = vim.lsp.util.make_text_document_params()
local lenses = ask("textDocument/codeLens")
if #lenses ~= 2 or lenses[2].command.title ~= "check as saxpy" then fail("code lenses: " .. vim.inspect(lenses)) end
local run = ask("workspace/executeCommand", { command = lenses[2].command.command, arguments = lenses[2].command.arguments })
if run.exit ~= 0 then fail("the lens: " .. vim.inspect(run)) end
vim.lsp.stop_client(client)
wait_for("the server's end", function() return vim.lsp.client_is_stopped(client) end)
print("opened, mended, explained, completed, renamed, checked and closed")
vim.cmd("qall!")
L
"$(dirname "$lint")/msci-tasks" seed saxpy >"$work/seed.metal"
cd "$work"
MSCI_LINT=$lint timeout 120 nvim --clean --headless "$work/f.metal" -c "luafile $work/drive.lua"
echo
