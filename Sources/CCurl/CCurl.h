// What the engine on etcd needs of libcurl: requests over one connection, and one whose answer never ends. Where its headers are not installed, functions that do
// nothing take their place, so that everything is built; nothing can be opened then.
#pragma once

#include <stddef.h>

typedef size_t (*cairn_http_receiver)(char *bytes, size_t size, size_t count, void *context);

// A connection, for one request after the other, whose answers are read step by step. Used by one thread at a time.
typedef struct cairn_http cairn_http;

#if __has_include(<curl/curl.h>)

#include <curl/curl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>

static inline int cairn_has_curl(void) { return 1; }

// To be called once, before all others.
static inline void cairn_http_start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

struct cairn_http {
    CURL *easy;
    // Keeps the connection.
    CURLM *multi;
    struct curl_slist *headers;
    char message[CURL_ERROR_SIZE];
};

// No request may be under way.
static inline void cairn_http_free(cairn_http *http) {
    curl_easy_cleanup(http->easy);
    curl_multi_cleanup(http->multi);
    curl_slist_free_all(http->headers);
    free(http);
}

// Makes a socket that programs started with exec do not inherit.
static inline curl_socket_t cairn_http_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

// Files of PEM for TLS may be NULL. A receiver that takes fewer bytes than it is given ends the request.
static inline cairn_http *cairn_http_create(
    long connect_milliseconds, const char *authority, const char *certificate, const char *key, cairn_http_receiver receiver, void *context
) {
    cairn_http *http = (cairn_http *)calloc(1, sizeof(cairn_http));
    if (!http) return NULL;
    http->easy = curl_easy_init();
    http->multi = curl_multi_init();
    if (!http->easy || !http->multi) return cairn_http_free(http), NULL;
    curl_easy_setopt(http->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(http->easy, CURLOPT_ERRORBUFFER, http->message);
    curl_easy_setopt(http->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
    curl_easy_setopt(http->easy, CURLOPT_OPENSOCKETFUNCTION, cairn_http_open_socket);
    curl_easy_setopt(http->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(http->easy, CURLOPT_TCP_KEEPIDLE, 10L);
    curl_easy_setopt(http->easy, CURLOPT_TCP_KEEPINTVL, 5L);
    // A variable of the environment must not send passwords elsewhere.
    curl_easy_setopt(http->easy, CURLOPT_PROXY, "");
    if (authority) curl_easy_setopt(http->easy, CURLOPT_CAINFO, authority);
    if (certificate) curl_easy_setopt(http->easy, CURLOPT_SSLCERT, certificate);
    if (key) curl_easy_setopt(http->easy, CURLOPT_SSLKEY, key);
    curl_easy_setopt(http->easy, CURLOPT_WRITEFUNCTION, receiver);
    curl_easy_setopt(http->easy, CURLOPT_WRITEDATA, context);
    return http;
}

// Without milliseconds, it may take forever.
static inline void cairn_http_prepare(
    cairn_http *http, const char *url, const char *authorization, const void *body, size_t size, long milliseconds
) {
    curl_slist_free_all(http->headers);
    http->headers = curl_slist_append(NULL, "Content-Type: application/json");
    // Large bodies are sent at once.
    http->headers = curl_slist_append(http->headers, "Expect:");
    if (authorization) http->headers = curl_slist_append(http->headers, authorization);
    http->message[0] = 0;
    curl_easy_setopt(http->easy, CURLOPT_URL, url);
    curl_easy_setopt(http->easy, CURLOPT_HTTPHEADER, http->headers);
    curl_easy_setopt(http->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    curl_easy_setopt(http->easy, CURLOPT_COPYPOSTFIELDS, body);
    curl_easy_setopt(http->easy, CURLOPT_TIMEOUT_MS, milliseconds);
}

// Begins the request that was prepared.
static inline void cairn_http_begin(cairn_http *http) { curl_multi_add_handle(http->multi, http->easy); }

// Ends a request; if the answer has not ended yet, also the connection.
static inline void cairn_http_end(cairn_http *http) { curl_multi_remove_handle(http->multi, http->easy); }

// Waits for more of the answer, and receives it. Returns -1, or curl's code once the answer has ended: 0 if it is complete.
static inline int cairn_http_step(cairn_http *http, int milliseconds) {
    int running = 0, waiting = 0;
    curl_multi_poll(http->multi, NULL, 0, milliseconds, &waiting);
    if (curl_multi_perform(http->multi, &running) != CURLM_OK) return CURLE_RECV_ERROR;
    if (running) return -1;
    CURLMsg *message = curl_multi_info_read(http->multi, &waiting);
    return message ? (int)message->data.result : CURLE_RECV_ERROR;
}

// The number of bytes of the request that were sent.
static inline long long cairn_http_sent(cairn_http *http) {
    curl_off_t size = 0;
    curl_easy_getinfo(http->easy, CURLINFO_SIZE_UPLOAD_T, &size);
    return size;
}

// Ends a wait, from any thread.
static inline void cairn_http_wake(cairn_http *http) { curl_multi_wakeup(http->multi); }

// The HTTP status of the answer, or of as much of it as has come; 0 before that.
static inline long cairn_http_status(cairn_http *http) {
    long status = 0;
    curl_easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline const char *cairn_http_message(cairn_http *http, int code) {
    return http->message[0] ? http->message : curl_easy_strerror((CURLcode)code);
}

// Whether nothing can have been sent.
static inline int cairn_http_was_unsent(int code) {
    return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT || code == CURLE_SSL_CONNECT_ERROR
        || code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CACERT_BADFILE
        || code == CURLE_URL_MALFORMAT;
}

// Whether a certificate does not fit, or a file of one cannot be read: another attempt would end in the same way.
static inline int cairn_http_is_mistake(int code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CACERT_BADFILE;
}

// Whether the server may expect TLS from a client that does not use it, or the opposite.
static inline int cairn_http_may_differ_in_tls(int code) { return code == CURLE_GOT_NOTHING || code == CURLE_SSL_CONNECT_ERROR; }

#else

struct cairn_http { int none; };

static inline int cairn_has_curl(void) { return 0; }
static inline void cairn_http_start(void) {}
static inline void cairn_http_free(cairn_http *http) {}
static inline cairn_http *cairn_http_create(
    long connect_milliseconds, const char *authority, const char *certificate, const char *key, cairn_http_receiver receiver, void *context
) { return NULL; }
static inline void cairn_http_prepare(
    cairn_http *http, const char *url, const char *authorization, const void *body, size_t size, long milliseconds
) {}
static inline void cairn_http_begin(cairn_http *http) {}
static inline void cairn_http_end(cairn_http *http) {}
static inline int cairn_http_step(cairn_http *http, int milliseconds) { return 1; }
static inline void cairn_http_wake(cairn_http *http) {}
static inline long cairn_http_status(cairn_http *http) { return 0; }
static inline long long cairn_http_sent(cairn_http *http) { return 0; }
static inline const char *cairn_http_message(cairn_http *http, int code) { return ""; }
static inline int cairn_http_was_unsent(int code) { return 1; }
static inline int cairn_http_is_mistake(int code) { return 0; }
static inline int cairn_http_may_differ_in_tls(int code) { return 0; }

#endif
