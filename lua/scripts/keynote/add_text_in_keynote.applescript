-- add_text_in_keynote: write in a shape of slide 1
--
-- argv:   bundle id, document id, place, x, y, width, height, text; place and box as draw_rectangle printed them
-- prints: how many characters (code points) the shape holds now
-- errors: 9001 there is no such document, 9002 no such shape, 9003 its box is another one, -1703 arguments are missing
--
-- A shape of that number that is elsewhere by now is not ours; then the only shape with our box is, for shapes before
-- it may have come or gone. Text in a shape is centred by default, and its alignment cannot be set. Works for up to
-- 30 seconds.

on run argv
    if (count of argv) is not 8 then error "add_text takes bundle id, document id, place, x, y, width, height, text" number -1703
    set bundleId to item 1 of argv
    set docId to item 2 of argv
    set place to (item 3 of argv) as integer
    set oldBox to {}
    repeat with i from 4 to 7
        set end of oldBox to item i of argv
    end repeat
    set wantedText to item 8 of argv
    using terms from application id "com.apple.Keynote"
        with timeout of 30 seconds
            tell application id bundleId
                if not (exists document id docId) then error "the document is not open" number 9001
                tell slide 1 of document id docId
                    set shapeCount to count of shapes
                    set atPlace to false
                    if place <= shapeCount then set atPlace to (my boxText(position of shape place, width of shape place, height of shape place) is oldBox)
                    if not atPlace then
                        set alike to {}
                        repeat with i from 1 to shapeCount
                            if my boxText(position of shape i, width of shape i, height of shape i) is oldBox then set end of alike to i
                        end repeat
                        if (count of alike) is 0 and place > shapeCount then error "the rectangle is gone" number 9002
                        if (count of alike) is not 1 then error "the rectangle was moved or is gone" number 9003
                        set place to item 1 of alike
                    end if
                    set object text of shape place to wantedText
                    set nowText to (object text of shape place) as text
                end tell
            end tell
        end timeout
    end using terms from
    return (count of ((id of nowText) as list)) as text
end run

-- A shape's box as draw_rectangle prints it.
on boxText(shapePosition, shapeWidth, shapeHeight)
    return {numberText(item 1 of shapePosition), numberText(item 2 of shapePosition), numberText(shapeWidth), numberText(shapeHeight)}
end boxText

-- With a point in every language, at most two decimals, no exponent: 1024, 793.7
on numberText(n)
    set minus to ""
    if n < 0 then
        set minus to "-"
        set n to -n
    end if
    set hundredths to (n * 100 + 0.5) div 1
    set wholeText to minus & ((hundredths div 100) as text)
    set decimals to hundredths mod 100
    if decimals = 0 then return wholeText
    if decimals mod 10 = 0 then return wholeText & "." & ((decimals div 10) as text)
    if decimals < 10 then return wholeText & ".0" & (decimals as text)
    return wholeText & "." & (decimals as text)
end numberText
