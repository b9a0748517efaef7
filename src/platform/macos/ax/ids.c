/* CFEqual() and CFHash() compare the objects in the application, not the references to them
 * (AXUIElement.h). */
#include "platform/macos/ax/ids.h"

#include <pthread.h>

#include "platform/element_ids.h"

static bool is_entry_of(const void *entry, const void *element)
{
    return CFEqual(((const struct ax_known *)entry)->element, element);
}

static void drop_entry(void *entry)
{
    CFRelease(((struct ax_known *)entry)->element);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct element_ids ids = {
    .bytes = sizeof(struct ax_known), .most = AX_IDS_MAX, .is = is_entry_of, .drop = drop_entry
};

static uint64_t add_id(AXUIElementRef element)
{
    uint64_t id = element_ids_add(&ids, CFHash(element));
    struct ax_known *entry = element_ids_entry(&ids, id);

    entry->element = (AXUIElementRef)CFRetain(element);
    return id;
}

uint64_t ax_ids_of(AXUIElementRef element, struct ax_known *as)
{
    struct ax_known *entry;
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = element_ids_find(&ids, CFHash(element), element);
    if (!id)
        id = add_id(element);
    entry = element_ids_entry(&ids, id);
    entry->pid = as->pid;
    entry->parent = as->parent ? as->parent : entry->parent;
    entry->top = as->top ? as->top : entry->top;
    entry->place = as->place ? as->place : entry->place;
    if (as->role != ELEMENT_MENU_ITEM ||
        (entry->role != ELEMENT_CHECK_ITEM && entry->role != ELEMENT_MENU))
        entry->role = as->role;
    as->role = entry->role;
    pthread_mutex_unlock(&lock);
    return id;
}

uint64_t ax_ids_find(AXUIElementRef element, enum element_role *role)
{
    const struct ax_known *entry;
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = element_ids_find(&ids, CFHash(element), element);
    entry = element_ids_entry(&ids, id);
    *role = entry ? entry->role : ELEMENT_OTHER;
    pthread_mutex_unlock(&lock);
    return id;
}

bool ax_ids_look(uint64_t id, struct ax_known *out)
{
    const struct ax_known *entry;

    *out = (struct ax_known){ 0 };
    pthread_mutex_lock(&lock);
    entry = element_ids_entry(&ids, id);
    if (entry) {
        *out = *entry;
        CFRetain(out->element);
    }
    pthread_mutex_unlock(&lock);
    return entry != NULL;
}

void ax_known_free(struct ax_known *known)
{
    cf_release(known->element);
    *known = (struct ax_known){ 0 };
}

void ax_ids_end(void)
{
    pthread_mutex_lock(&lock);
    element_ids_clear(&ids);
    pthread_mutex_unlock(&lock);
}
