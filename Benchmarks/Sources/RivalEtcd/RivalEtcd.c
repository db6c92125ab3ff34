#include "RivalEtcd.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rival_etcd {
    CURL *easy;
    struct curl_slist *headers;
    char address[256];
    char *answer;
    size_t length, capacity;
    unsigned char decoded[1024];
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    rival_etcd *self = context;
    size_t more = size * count;
    if (self->length + more + 1 > self->capacity) {
        self->capacity = (self->length + more + 1) * 2;
        self->answer = realloc(self->answer, self->capacity);
        if (!self->answer) return 0;
    }
    memcpy(self->answer + self->length, bytes, more);
    self->length += more;
    self->answer[self->length] = 0;
    return more;
}

rival_etcd *rival_etcd_open(const char *address) {
    rival_etcd *self = calloc(1, sizeof *self);
    if (!self || !(self->easy = curl_easy_init())) return free(self), NULL;
    snprintf(self->address, sizeof self->address, "%s", address);
    self->headers = curl_slist_append(curl_slist_append(NULL, "Content-Type: application/json"), "Expect:");
    curl_easy_setopt(self->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(self->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(self->easy, CURLOPT_HTTPHEADER, self->headers);
    curl_easy_setopt(self->easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(self->easy, CURLOPT_WRITEDATA, self);
    return self;
}

void rival_etcd_close(rival_etcd *self) {
    curl_easy_cleanup(self->easy);
    curl_slist_free_all(self->headers);
    free(self->answer);
    free(self);
}

// The size of what a text in base64 stands for, up to its quotation mark.
static size_t decode(const char *text, unsigned char *bytes, size_t most) {
    static signed char digits[256];
    if (!digits['B']) {
        const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < 256; i++) digits[i] = -1;
        for (int i = 0; i < 64; i++) digits[(unsigned char)alphabet[i]] = (signed char)i;
    }
    size_t count = 0;
    unsigned bits = 0, held = 0;
    for (; digits[(unsigned char)*text] >= 0; text++) {
        held = held << 6 | (unsigned)digits[(unsigned char)*text];
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        if (count < most) bytes[count] = (unsigned char)(held >> bits);
        count++;
    }
    return count;
}

int rival_etcd_post(rival_etcd *self, const char *path, const char *body, size_t length, size_t size) {
    char url[512];
    snprintf(url, sizeof url, "%s%s", self->address, path);
    self->length = 0;
    curl_easy_setopt(self->easy, CURLOPT_URL, url);
    curl_easy_setopt(self->easy, CURLOPT_POSTFIELDSIZE, (long)length);
    curl_easy_setopt(self->easy, CURLOPT_POSTFIELDS, body);
    if (curl_easy_perform(self->easy) != CURLE_OK || !self->answer || strstr(self->answer, "\"error\":")) return -1;
    static const char mark[] = "\"value\":\"";
    int count = 0;
    for (char *value = strstr(self->answer, mark); value; value = strstr(value, mark)) {
        value += sizeof mark - 1;
        if (decode(value, self->decoded, sizeof self->decoded) == size) count++;
    }
    return count;
}
