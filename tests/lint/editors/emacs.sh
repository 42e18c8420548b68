#!/usr/bin/env bash
# Emacs, without a screen, as the editor of msci-lint --lsp, with the recipe of docs/guide/editors.md: opens a kernel, sees the
# diagnostic, carries out the fix, and sees it go:
#   tests/lint/editors/emacs.sh BUILD/bin/msci-lint
# Skips with a message and exit status 77 without Emacs and Eglot (apt-get install emacs-nox elpa-eglot).
set -euo pipefail
bin=$(dirname "$(realpath --no-symlinks "$1")")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v emacs >/dev/null && emacs --batch --eval "(progn (package-initialize) (require 'eglot))" 2>/dev/null ||
  { echo "SKIP: Emacs with Eglot is not installed (apt-get install emacs-nox elpa-eglot)"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/editor_session.sh"
sed -n '/^```elisp$/,/^```$/p' "$here/../../../docs/guide/editors.md" | sed '/^```/d' >"$work/recipe.el"
[[ -s $work/recipe.el ]] || { echo "FAILED: docs/guide/editors.md has no recipe for Emacs"; exit 1; }
cat >"$work/drive.el" <<'L'
(package-initialize)
(load (expand-file-name "recipe.el"))
(defun wait-for (what holds)
  (with-timeout (20 (message "never came: %s" what) (kill-emacs 1))
    (while (not (funcall holds)) (accept-process-output nil 0.05))))
(setq eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil
      project-find-functions (list (lambda (folder) (cons 'transient folder))))
(find-file "f.metal")
(unless (eq major-mode 'metal-mode) (message "another mode: %s" major-mode) (kill-emacs 1))
(apply #'eglot (eglot--guess-contact))
(flymake-start)
(wait-for "a diagnostic" #'flymake-diagnostics)
(let ((text (flymake-diagnostic-text (car (flymake-diagnostics)))))
  (unless (string-match-p "metal.restrict" text) (message "another diagnostic: %s" text) (kill-emacs 1)))
(let ((actions (eglot-code-actions (point-min) (point-max) "quickfix" nil)))
  (unless actions (message "no quick fix") (kill-emacs 1))
  (eglot--apply-workspace-edit (plist-get (aref (vconcat actions) 0) :edit)))
(goto-char (point-min))
(unless (search-forward "__restrict x" nil t) (message "the fix left: %s" (buffer-string)) (kill-emacs 1))
(flymake-start)
(eglot--signal-textDocument/didChange)  ; an idle timer sends it, and without a screen none runs
(wait-for "the end of the diagnostic" (lambda () (null (flymake-diagnostics))))
(goto-char (point-min))
(search-forward "  y[i]")
(goto-char (+ (match-beginning 0) 2))
(let ((found (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))
  (unless (= (length found) 2) (message "references: %s" found) (kill-emacs 1)))
(eglot-rename "result")
(goto-char (point-min))
(unless (search-forward "  result[i] = x[i];" nil t) (message "the rename left: %s" (buffer-string)) (kill-emacs 1))
(eglot--signal-textDocument/didChange)
(unless (assoc "f" (cdr (assoc "Function" (eglot-imenu)))) (message "imenu: %s" (eglot-imenu)) (kill-emacs 1))
(message "opened, diagnosed, fixed, renamed")
L
cd "$work"
PATH=$bin:$PATH HOME=$work timeout 120 emacs --batch -l drive.el
