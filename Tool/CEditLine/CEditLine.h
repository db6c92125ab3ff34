// Line editing with history and completion, from libedit (https://thrysoee.dk/editline). Where its headers are not installed, lines are read as the
// terminal gives them.
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if __has_include(<editline/readline.h>)
#include <editline/readline.h>

/// Returns a line without its newline, which the caller frees; null at the end of the input.
static inline char *cairn_edit_line(const char *prompt) { return readline(prompt); }

static inline int cairn_edit_byte(FILE *input) {
    unsigned char byte;
    ssize_t count;
    do count = read(fileno(input), &byte, 1);
    while (count < 0 && errno == EINTR);
    return count == 1 ? byte : -1;
}

/// The next character of UTF-8, or U+FFFD in place of bytes that are not: libedit would leave them out, and run another command than the one typed.
static inline int cairn_edit_character(FILE *input) {
    static int next = -1;
    int first = next >= 0 ? next : cairn_edit_byte(input);
    next = -1;
    if (first < 0x80) return first;
    int count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4) return 0xFFFD;
    int character = first & (0x3F >> count);
    for (int index = 0; index < count; index++) {
        int byte = cairn_edit_byte(input);
        if (byte < 0x80 || byte > 0xBF) {
            // It begins another character.
            next = byte;
            return 0xFFFD;
        }
        character = character << 6 | (byte & 0x3F);
    }
    int least = count == 3 ? 0x10000 : count == 2 ? 0x800 : 0x80;
    return character < least || character > 0x10FFFF || (character >> 11) == 0x1B ? 0xFFFD : character;
}

/// Has `complete` called with what is to be completed and where that begins and ends in the line. It returns an array that ends with null: what the
/// matches have in common, then the matches; or null for the names of files. libedit frees all of it.
static inline void cairn_edit_begin(char **(*complete)(const char *, int, int)) {
    rl_readline_name = "cairn";
    rl_getc_function = cairn_edit_character;
    rl_attempted_completion_function = complete;
    using_history();
    stifle_history(1000);
}

/// The line before `end` up to the cursor is part of it.
static inline const char *cairn_edit_buffer(void) { return rl_line_buffer; }

static inline void cairn_edit_remember(const char *line) { add_history(line); }
static inline int cairn_edit_load(const char *path) { return read_history(path); }
static inline int cairn_edit_save(const char *path) { return write_history(path); }

#else

static inline char *cairn_edit_line(const char *prompt) {
    fputs(prompt, stdout);
    fflush(stdout);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t count = getline(&line, &capacity, stdin);
    if (count < 0) {
        free(line);
        return NULL;
    }
    if (count > 0 && line[count - 1] == '\n') line[count - 1] = 0;
    return line;
}

static inline void cairn_edit_begin(char **(*complete)(const char *, int, int)) {}
static inline const char *cairn_edit_buffer(void) { return ""; }
static inline void cairn_edit_remember(const char *line) {}
static inline int cairn_edit_load(const char *path) { return 0; }
static inline int cairn_edit_save(const char *path) { return 0; }

#endif
