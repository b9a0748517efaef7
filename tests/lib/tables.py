"""Tables in documents, which tests write."""


def markdown(rows, columns, cell):
    """A table with a row for each name; cell(row, column) is the text of one."""
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *(cell(row, column) for column in columns)] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def parts(path, name):
    """A document before, between and after the marks of that name; both marks are in the outer parts."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, begins, rest = path.read_text().partition(begin)
    inner, ends, after = rest.partition(end)
    if not begins or not ends:
        raise SystemExit(f"{path} has no marks {begin} and {end}")
    return before + begin, inner, end + after


def replace(path, name, text):
    """Replaces the text between the marks of that name in a document by this one."""
    before, _, after = parts(path, name)
    path.write_text(f"{before}\n{text}\n{after}")


def read(path, name):
    """The cells of the table between the marks: text by (row, column)."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in parts(path, name)[1].strip().splitlines()]
    return {(line[0], column): text for line in lines[2:] for column, text in zip(lines[0][1:], line[1:])}
