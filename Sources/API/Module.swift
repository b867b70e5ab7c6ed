// This file gives way to the module's own.
