"""What the tests of the WebAssembly module need."""
import shutil


def what_lacks(module):
    """Why the module in that folder cannot run here, or an empty text."""
    if not shutil.which("node"):
        return "SKIP: Node.js is not installed"
    if not (module / "msci-lint.wasm").exists():
        return f"{module} has no module; packaging/wasm/build.sh makes it"
    return ""
