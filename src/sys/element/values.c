/* Elements as tables. A flag that is not set is left out: trees have thousands of nodes. */
#include "sys/element/values.h"

#include "sys/shared/desktop_values.h"

static const char *const abilities[] = { "act", "read", "write", "count", "select", "focus" };

void element_push_roles(lua_State *L)
{
    lua_newtable(L); /* names */
    for (int role = 0; role < ELEMENT_ROLES; role++) {
        lua_pushstring(L, element_role_name((enum element_role)role));
        lua_rawseti(L, -2, role + 1);
    }
}

void element_push_states(lua_State *L)
{
    lua_newtable(L); /* names */
    for (unsigned bit = 0; element_state_name(bit); bit++) {
        lua_pushstring(L, element_state_name(bit));
        lua_rawseti(L, -2, (lua_Integer)bit + 1);
    }
}

/* Sets a field of the table on top: a table with name = true for each state. */
static void set_states(lua_State *L, unsigned states)
{
    lua_newtable(L); /* node, states */
    for (unsigned bit = 0; element_state_name(bit); bit++) {
        if (states & 1u << bit)
            desktop_set_flag(L, element_state_name(bit), true);
    }
    lua_setfield(L, -2, "states");
}

static void set_abilities(lua_State *L, unsigned set)
{
    lua_newtable(L); /* node, abilities */
    for (unsigned bit = 0; bit < countof(abilities); bit++) {
        if (set & 1u << bit)
            desktop_set_flag(L, abilities[bit], true);
    }
    lua_setfield(L, -2, "abilities");
}

static void set_node_number(lua_State *L, const struct element_info *node)
{
    desktop_set_number(L, "number", node->number);
    desktop_set_number(L, "least", node->least);
    desktop_set_number(L, "most", node->most);
    desktop_set_number(L, "step", node->step);
}

/* Sets the list of actions. `names` separates them by \n. */
static void set_actions(lua_State *L, const char *names)
{
    lua_newtable(L); /* node, actions */
    for (lua_Integer i = 1; *names; i++) {
        size_t len = strcspn(names, "\n");

        lua_pushlstring(L, names, len);
        lua_rawseti(L, -2, i);
        names += len + (names[len] == '\n');
    }
    lua_setfield(L, -2, "actions");
}

static void set_count(lua_State *L, const char *name, int value)
{
    if (value < 0)
        return;
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static void set_node_place(lua_State *L, const struct element_info *node)
{
    if (node->parent)
        desktop_set_integer(L, "parent", node->parent);
    if (node->window)
        desktop_set_integer(L, "window", node->window);
    set_count(L, "depth", node->depth);
    set_count(L, "index", node->index);
    set_count(L, "children", node->children);
    set_count(L, "listed", node->listed);
    if (!node->placed)
        return;
    desktop_push_rect(L, node->bounds);
    lua_setfield(L, -2, "bounds");
}

static void set_words(lua_State *L, const struct element_info *node)
{
    desktop_set_text(L, "role", element_role_name(node->role));
    desktop_set_text(L, "native", node->native);
    desktop_set_text(L, "name", node->name);
    desktop_set_text(L, "value", node->value);
    if (*node->description)
        desktop_set_text(L, "description", node->description);
    if (node->name_cut)
        desktop_set_flag(L, "name_cut", true);
    if (node->value_cut)
        desktop_set_flag(L, "value_cut", true);
}

static void push_node(lua_State *L, const struct element_info *node)
{
    lua_createtable(L, 0, 16); /* node */
    desktop_set_integer(L, "id", node->id);
    if (node->gone) {
        desktop_set_flag(L, "gone", true);
        return;
    }
    desktop_set_integer(L, "pid", (uint64_t)node->pid);
    set_words(L, node);
    set_node_place(L, node);
    set_states(L, node->states);
    set_abilities(L, node->abilities);
    if (node->abilities & ELEMENT_CAN_COUNT)
        set_node_number(L, node);
    if (node->actions)
        set_actions(L, node->actions);
}

void element_push_nodes(lua_State *L, const struct element_tree *tree)
{
    lua_createtable(L, (int)tree->count, 0); /* nodes */
    for (size_t i = 0; i < tree->count; i++) {
        push_node(L, &tree->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void element_push_text(lua_State *L, const struct element_text *text)
{
    lua_createtable(L, 0, 8); /* text */
    desktop_set_text(L, "text", text->text);
    set_count(L, "length", text->length);
    set_count(L, "from", text->from);
    set_count(L, "to", text->to);
    set_count(L, "caret", text->caret);
    set_count(L, "selected_from", text->selected_from);
    set_count(L, "selected_to", text->selected_to);
}

static void set_optional(lua_State *L, const char *name, const char *text)
{
    if (text)
        desktop_set_text(L, name, text);
}

static void set_field_text(lua_State *L, const struct element_field *field)
{
    set_count(L, "length", field->length);
    set_count(L, "caret", field->caret);
    set_count(L, "from", field->from);
    set_count(L, "to", field->to);
    set_optional(L, "before", field->before);
    set_optional(L, "behind", field->behind);
    set_optional(L, "text", field->text);
}

void element_push_field(lua_State *L, const struct element_field *field)
{
    static const char *const findings[FIELD_FINDINGS] = {
        [FIELD_UNKNOWN] = "unknown", [FIELD_FOUND] = "found",   [FIELD_READ_ONLY] = "read_only",
        [FIELD_NOWHERE] = "nowhere", [FIELD_ABSENT] = "absent",
    };

    lua_createtable(L, 0, 15); /* field */
    desktop_set_text(L, "finding", findings[field->finding]);
    if (field->window)
        desktop_set_integer(L, "window", field->window);
    if (field->pid)
        desktop_set_integer(L, "pid", (uint64_t)field->pid);
    if (field->finding != FIELD_FOUND)
        return;
    desktop_set_integer(L, "id", field->id);
    desktop_set_flag(L, "focused", field->focused);
    desktop_set_flag(L, "multiline", field->multiline);
    desktop_set_flag(L, "paragraph", field->paragraph);
    desktop_set_flag(L, "readable", field->readable);
    if (field->readable)
        set_field_text(L, field);
}

static const char *const kinds[ELEMENT_EVENT_KINDS] = {
    [ELEMENT_EVENT_WINDOW] = "window", [ELEMENT_EVENT_CHILDREN] = "children",
    [ELEMENT_EVENT_NAME] = "name",     [ELEMENT_EVENT_VALUE] = "value",
    [ELEMENT_EVENT_STATE] = "state",   [ELEMENT_EVENT_FOCUS] = "focus",
    [ELEMENT_EVENT_GONE] = "gone",
};

const char *element_kind_name(enum element_event_kind kind)
{
    return kinds[kind];
}

static void push_element_event(lua_State *L, const struct element_event *event)
{
    lua_createtable(L, 0, 6); /* event */
    desktop_set_integer(L, "number", event->number);
    desktop_set_text(L, "kind", kinds[event->kind]);
    if (event->id)
        desktop_set_integer(L, "id", event->id);
    desktop_set_integer(L, "pid", (uint64_t)event->pid);
    desktop_set_number(L, "at", (double)event->at / 1000);
    desktop_set_text(L, "detail", event->detail);
}

void element_push_events(lua_State *L, const struct element_events *events)
{
    lua_createtable(L, 0, 3);                  /* result */
    lua_createtable(L, (int)events->count, 0); /* result, events */
    for (size_t i = 0; i < events->count; i++) {
        push_element_event(L, &events->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "events");
    desktop_set_integer(L, "next", events->next);
    desktop_set_integer(L, "missed", events->missed);
}
