#pragma once
#include <libpq-fe.h>

// Swift does not import macros that are single characters.
static const int PGDiagnosticSQLState = PG_DIAG_SQLSTATE;
static const int PGDiagnosticMessage = PG_DIAG_MESSAGE_PRIMARY;
