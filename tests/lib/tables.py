"""Tables in documents, which tests write."""


def markdown(rows, columns, cell):
    """A table with a row for each name; cell(row, column) is the text of one."""
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *(cell(row, column) for column in columns)] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def replace(path, name, text):
    """What is between the marks of that name in a document becomes this text."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, begins, rest = path.read_text().partition(begin)
    _, ends, after = rest.partition(end)
    if not begins or not ends:
        raise SystemExit(f"{path} has no marks {begin} and {end}")
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}")
