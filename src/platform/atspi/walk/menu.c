#include "platform/atspi/walk/menu.h"

#include "platform/atspi/bus/roles.h"

enum { SAMPLE = 2 /* entries by which a closed menu is judged */ };

static bool is_open(const struct node *menu)
{
    return HAS_STATE(menu->states, STATE_SELECTED) || HAS_STATE(menu->states, STATE_FOCUSED) ||
           HAS_STATE(menu->states, STATE_EXPANDED);
}

/* True if none of these is shown, as far as that is known; *visible: at least one would be in an
 * open menu. */
static bool are_hidden(const struct walk *walk, const struct node *menu, int count, bool *visible)
{
    *visible = false;
    for (int i = 0; i < count; i++) {
        const struct node *child = &walk->nodes.items[menu->children[i]];

        if (!child->known || child->dead || walk_may_be_shown(walk, child))
            return false;
        *visible = *visible || HAS_STATE(child->states, STATE_VISIBLE);
    }
    return true;
}

int menu_count_asked(const struct walk *walk, const struct node *node)
{
    int listed = node->listed < walk->query->children ? node->listed : walk->query->children;
    int sample = 0;
    const char *native;
    bool visible;

    if (!walk->nodes.aged || walk->query->hidden || is_open(node) ||
        roles_of(node->role, node->states, &native) != ELEMENT_MENU ||
        !are_hidden(walk, node, listed, &visible))
        return listed;
    for (int i = 0; i < listed; i++) {
        if (HAS_STATE(walk->nodes.items[node->children[i]].states, STATE_VISIBLE) == visible &&
            ++sample == SAMPLE)
            return i + 1;
    }
    return listed;
}
