/* Asking the X server whose a window is. See owner.h. */
#include "platform/x11/wire/owner.h"

#include <stdlib.h>
#include <unistd.h>

#include "platform/x11/wire/property.h"

enum { HOST_MAX = 256, PROCESS_MAX = 1 << 22 /* the kernel's highest */ };

static xcb_res_query_client_ids_cookie_t ask_clients(struct x11_desktop *desktop, uint32_t client)
{
    xcb_res_client_id_spec_t spec = { client, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };

    return xcb_res_query_client_ids(desktop->xcb, 1, &spec);
}

/* The first process of an answer, or `wanted` if it is among them; 0: none. */
static int answer_clients(struct x11_desktop *desktop, xcb_res_query_client_ids_cookie_t cookie,
                          int wanted)
{
    xcb_res_query_client_ids_reply_t *reply =
        xcb_res_query_client_ids_reply(desktop->xcb, cookie, NULL);
    int found = 0;

    if (reply) {
        xcb_res_client_id_value_iterator_t at = xcb_res_query_client_ids_ids_iterator(reply);

        for (; at.rem && !found; xcb_res_client_id_value_next(&at)) {
            int pid = xcb_res_client_id_value_value_length(at.data) > 0
                          ? (int)*xcb_res_client_id_value_value(at.data)
                          : 0;

            found = !wanted || pid == wanted ? pid : 0;
        }
    }
    free(reply);
    return found;
}

/* The question came with version 1.2. */
bool x11_find_resource(struct x11_desktop *desktop)
{
    const xcb_query_extension_reply_t *there = xcb_get_extension_data(desktop->xcb, &xcb_res_id);
    xcb_res_query_version_reply_t *version = NULL;
    bool has;

    if (there && there->present)
        version = xcb_res_query_version_reply(desktop->xcb,
                                              xcb_res_query_version(desktop->xcb, 1, 2), NULL);
    has = version && (version->server_major > 1 || version->server_minor >= 2);
    free(version);
    if (has) {
        uint32_t us = xcb_get_setup(desktop->xcb)->resource_id_base;

        has = answer_clients(desktop, ask_clients(desktop, us), 0) == (int)getpid();
    }
    return desktop->has_resource = has;
}

struct owner_question x11_ask_owner(struct x11_desktop *desktop, Window window)
{
    struct owner_question question = { { 0 }, { 0 }, { 0 } };

    if (desktop->has_resource) {
        question.client = ask_clients(desktop, (uint32_t)window);
    } else {
        question.claimed = x11_ask(desktop, window, A(_NET_WM_PID), 1);
        question.machine = x11_ask(desktop, window, XCB_ATOM_WM_CLIENT_MACHINE, HOST_MAX / 4);
    }
    return question;
}

int x11_answer_owner(struct x11_desktop *desktop, const struct owner_question *question)
{
    char here[HOST_MAX] = "", *machine;
    uint32_t claimed = 0;
    bool ours;

    if (desktop->has_resource)
        return answer_clients(desktop, question->client, 0);
    x11_answer_longs(desktop, question->claimed, &claimed, 1);
    machine = x11_answer_text(desktop, question->machine, HOST_MAX, NULL);
    gethostname(here, sizeof here - 1);
    ours = !machine || strcmp(machine, here) == 0 || strcmp(machine, "localhost") == 0;
    free(machine);
    return ours && claimed <= PROCESS_MAX ? (int)claimed : 0;
}

int x11_owner(struct x11_desktop *desktop, Window window)
{
    struct owner_question question = x11_ask_owner(desktop, window);

    return x11_answer_owner(desktop, &question);
}

bool x11_is_client(struct x11_desktop *desktop, int pid)
{
    return desktop->has_resource && pid > 0 &&
           answer_clients(desktop, ask_clients(desktop, XCB_NONE), pid) == pid;
}
