/* The token of `perigee serve --http`. */
#ifndef PERIGEE_CLI_COMMANDS_TOKEN_H
#define PERIGEE_CLI_COMMANDS_TOKEN_H

/* Where its file is. free() it. */
char *token_path(void);

#endif
