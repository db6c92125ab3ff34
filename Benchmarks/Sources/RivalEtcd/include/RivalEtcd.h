// The rival: the gateway of etcd as a C program uses it through libcurl.
#ifndef RIVAL_ETCD_H
#define RIVAL_ETCD_H

#include <stddef.h>

typedef struct rival_etcd rival_etcd;

// A connection to a server, as in http://127.0.0.1:2379; null without memory.
rival_etcd *rival_etcd_open(const char *address);
void rival_etcd_close(rival_etcd *connection);
// Sends a request and waits for its answer. Decodes the values in it, and returns how many have the size given, or -1 for an error.
int rival_etcd_post(rival_etcd *connection, const char *path, const char *body, size_t length, size_t size);

#endif
