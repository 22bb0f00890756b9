package demo

import "time"

// The bookshop sells old books from a warehouse in an old cinema. Its pages are written in TypeScript.

const booksReserve = `
export function reserve(stock: Stock, isbn: string, name: string): Reservation {
  const copies = stock.get(isbn);
  if (copies === 0) {
    throw new Error("sold out");
  }
  stock.set(isbn, copies - 1);
  return { isbn, name, until: inDays(7) };
}
`

// reservation is a session that was stopped in the middle of an answer.
func reservation(t *talk) {
	t.file("src/reserve.ts", booksReserve)
	t.prompt("Two people reserved the last copy of the same atlas within a second. How can that be?")
	t.answer(think("get and set with an await in between somewhere? Let me read."), t.read("src/reserve.ts"))
	t.answer(say("~stock.get~ and ~stock.set~ are two steps. Between them another request can take the same copy:\n\n1. A reads 1\n2. B reads 1\n3. both write 0\n\nIt needs one step that takes a copy **or** says that there is none."))
	t.done()
	t.prompt("Then rewrite the whole stock module with optimistic locking, a retry queue and")
	t.interrupted("I start with the retry queue. First a table for the attempts, then")
	t.prompt("No, that is too much. Just the one step, please.")
	t.answer(t.edit("src/reserve.ts", "  const copies = stock.get(isbn);\n  if (copies === 0) {\n    throw new Error(\"sold out\");\n  }\n  stock.set(isbn, copies - 1);",
		"  if (!stock.take(isbn)) {\n    throw new SoldOut(isbn);\n  }"))
	t.answer(t.bash("npm test -- reserve", "Run the tests", "✓ reserves a copy (4 ms)\n✓ says sold out (1 ms)\n✓ gives the last copy to one of two (12 ms)\n\nTests: 3 passed, 3 total"))
	t.answer(say("~stock.take~ is one step: it takes a copy and says whether there was one. The new test has two readers and one atlas."))
	t.done()
}

// teas is a session in several scripts, right-to-left ones, joiners and combining marks included.
func teas(t *talk) {
	t.mark(ShapeMultiByte)
	t.prompt("Please add the new teas to the menu: 龍井, 玉露, Да Хун Пао, چای زعفرانی, תה מנטה and crème brûlée rooibos. 🫖")
	t.answer(say("I add six teas, each with its name in Latin letters."), t.write("menu/teas.csv",
		"name,latin,minutes\n龍井,Lóngjǐng,3\n玉露,Gyokuro,2\nДа Хун Пао,Da Hong Pao,4\nچای زعفرانی,Chây-e Zaʿfarâni,6\nתה מנטה,Te Menta,5\ncrème brûlée,Rooibos,7\n"))
	t.answer(t.bash("./bin/menu --check", "Check the menu", "龍井        ok\n玉露        ok\nДа Хун Пао  ok\nچای زعفرانی ok\nתה מנטה     ok\ncre\u0300me bru\u0302le\u0301e: combining marks, use the composed form\n👩‍🍳 5 of 6"))
	t.answer(say("Five are fine. The last one has combining marks in ~menu/teas.csv~ of the *other* branch; here it is composed. 「いいお茶」は揃いました ☕️ — 6 of 6 after the merge."))
	t.done()
}

// shelf is a session of claude -p: no person typed it.
func shelf(t *talk) {
	t.mark(ShapeSDK)
	t.prompt("List the shelves that have room for ten more books. Answer with JSON only.")
	t.answer(t.bash("./bin/shelves --free 10 --json", "Ask for free shelves", `[{"shelf":"B3","free":14},{"shelf":"F1","free":11}]`))
	t.answer(say(`[{"shelf":"B3","free":14},{"shelf":"F1","free":11}]`))
}

// catalogue is a session with a line in its middle that a full disk left behind.
func catalogue(t *talk) {
	t.prompt("Import the old card catalogue from the CSV files in attic/.")
	t.answer(t.bash("ls attic | head -3; ls attic | wc -l", "Look at the files", "a-b.csv\nc-d.csv\ne-g.csv\n11"))
	t.corrupt()
	t.answer(say("Eleven files. Three of them use semicolons, so I read the separator from the first line of each."))
	t.answer(t.write("bin/import.ts", "const separator = (line: string) => (line.includes(\";\") ? \";\" : \",\");\n"),
		t.bash("npx tsx bin/import.ts attic/*.csv", "Import", "4,120 cards read, 4,103 imported, 17 without a title"))
	t.answer(say("4,103 of 4,120 cards are in. The 17 without a title are listed in ~attic/untitled.txt~; somebody has to look at the shelf."))
	t.done()
}

// window is a session whose last line was being written when the light went out.
func window(t *talk) {
	t.prompt("Which books should be in the window this week? It rains until Sunday.")
	t.answer(t.bash("./bin/stock --tag sea --tag weather", "Look for rainy books", "The Wind Book      3 copies\nClouds, an Atlas   1 copy\nLighthouse Keeping 5 copies"))
	t.answer(say("For a rainy week I would take:\n\n1. *Clouds, an Atlas*, open at the double page\n2. *Lighthouse Keeping*, a small stack\n3. *The Wind Book*, with an umbrella\n\n**One question:** is the umbrella still in the cellar?"))
	t.done()
	t.prompt("It is. And the lamp?")
	t.answer(say("Then put the lamp behind the atlas, so that the page glows."))
}

// corrupt writes half a record where a line should be.
func (t *talk) corrupt() {
	t.mark(ShapeCorrupt)
	t.wait(time.Second)
	t.buf = append(t.buf, `{"parentUuid":"`+t.parent+`","isSidechain":false,"type":"attachment","attachment":{"type":"enviro`+"\n"...)
	t.lines++
	t.broken++
}

// tear leaves the file without the end of its last record.
func (t *talk) tear() {
	t.mark(ShapeTornTail)
	t.buf = append(t.buf, `{"parentUuid":"`+t.parent+`","isSidechain":false,"message":{"content":[{"text":"The lamp is`...)
	t.lines++
	t.broken++
}

// stub writes what a client leaves that was closed before the first prompt.
func stub(t *talk) {
	t.mark(ShapeStub)
	t.modes()
	t.snapshot()
}
