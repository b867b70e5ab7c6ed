#pragma once
#include <libpq-fe.h>

// Swift does not import macros that are single characters.
static const int PGDiagnosticSQLState = PG_DIAG_SQLSTATE;
static const int PGDiagnosticMessage = PG_DIAG_MESSAGE_PRIMARY;

// The private cluster is a child process. These two are declared here because the header hides them without _GNU_SOURCE.
#include <spawn.h>
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
