import CivilDate
import Commands
package import HubKit
import NotesDomain
import Storage

/// The notes of `hub demo`.
package enum DemoNotes {
    /// Notes on a year, with links, tables, checklists and other scripts than Latin, a note for each week, lines that are added
    /// later, pins, and two notes in the trash.
    package static let declaration = DemoDeclaration { year in
        var steps = notes.map { note in
            year.step(daysAgo: note.daysAgo, note.time) { (notes: NotesPlugin) in
                var draft = NoteDraft(title: note.title, content: note.text, folder: note.folder, tags: note.tags)
                draft.isPinned = note.isPinned
                _ = try await notes.create(draft, operation: command("new", note.title))
            }
        }
        steps += weeks(year)
        steps += additions.map { title, daysAgo, line in
            year.step(daysAgo: daysAgo, "21:14") { (notes: NotesPlugin) in
                guard let note = try await notes.notes.resolve(title).first else { return }
                _ = try await notes.append(line, to: note.id, operation: command("append", title))
            }
        }
        steps += [
            year.step(daysAgo: 20, "08:02") { (notes: NotesPlugin) in
                let ids = try await notes.notes.resolve("Draft of a speech").map(\.id)
                _ = try await notes.notes.delete(ids, operation: command("rm", "Draft of a speech"))
            },
            year.step(daysAgo: 5, "08:40") { (notes: NotesPlugin) in
                let ids = try await notes.notes.resolve("Old packing list").map(\.id)
                _ = try await notes.notes.delete(ids, operation: command("rm", "Old packing list"))
            },
        ]
        return steps
    }

    private static func command(_ verb: String, _ title: String) -> Operation {
        Operation("notes \(verb)", commandLine: "notes \(verb) \(ShellWords.quote(title))")
    }

    /// A note for each week of the year.
    private static func weeks(_ year: DemoYear) -> [DemoStep] {
        var random = year.random("weeks")
        return (0..<51).map { number in
            let daysAgo = 357 - number * 7
            let lines = [
                "# Week of \(year.day(daysAgo + 6).words)", "", "- \(random.pick(good))", "- \(random.pick(good))",
                "- \(random.pick(open))", "", "People: [[\(random.pick(links))]]", "",
            ]
            let title = "Week \(number + 1)"
            return year.step(daysAgo: daysAgo, "20:\(10 + number % 40)") { (notes: NotesPlugin) in
                let draft = NoteDraft(
                    title: title, content: lines.joined(separator: "\n"), folder: "Journal", tags: ["journal"])
                _ = try await notes.create(draft, operation: command("daily", title))
            }
        }
    }

    private static let good = [
        "Choir: the alto line of the second piece sits now.", "Ran to the lighthouse and back, slowly.",
        "Finished the shelf; it is level.", "Long call with Ines about the theatre.",
        "Three quiet evenings with a book.", "The sourdough rose for the first time.",
        "Climbed the blue route without a rest.", "Jonas came by with plums.",
    ]
    private static let open = [
        "The boiler still ticks: call the plumber.", "Nothing saved this week.", "Slept badly, too much coffee.",
        "The bicycle needs a new chain.", "Answer Ruth's letter.", "Two evenings lost to the tax form.",
    ]
    private static let links = ["Choir", "Reading list", "House", "Running plan", "Summer trip"]

    /// Lines that are added to a note some days before today.
    private static let additions: [(title: String, daysAgo: Int, line: String)] = [
        ("Shopping", 9, "- [ ] oat milk"), ("Shopping", 3, "- [ ] light bulbs, E14"), ("Shopping", 0, "- [ ] plums"),
        ("Reading list", 77, "- *The Salt Path of Easterby*, from Ruth"),
        ("Reading list", 18, "- *Bridges, and How They Fail*"),
        ("House", 55, "- 2nd floor: the window does not close"), ("Choir", 27, "- Concert: bring the black folder"),
        ("Running plan", 14, "- Sunday: 12 km, the first time"),
    ]

    /// A note as it was first written.
    private struct Draft {
        let title: String
        let folder: String
        let tags: [String]
        let daysAgo: Int
        let time: String
        var isPinned = false
        let text: String
    }

    private static let notes = [
        Draft(
            title: "About this demo", folder: "", tags: ["demo"], daysAgo: 0, time: "07:00", isPinned: true,
            text: """
                # About this demo

                Everything here is **invented**: the people, their numbers, the prices and this note. The store is in a folder of its
                own. It is gone when the program that serves it ends, and your own data is not touched.

                - [ ] Change something, then press *Undo*
                - [ ] Search for `harbour` over everything
                - [ ] Open the history of [[House]]
                - [ ] Bring a note back from the trash
                """),
        Draft(
            title: "Shopping", folder: "", tags: ["home"], daysAgo: 61, time: "17:25", isPinned: true,
            text: "- [x] bread\n- [x] lentils\n- [ ] tomatoes\n- [ ] coffee, the dark one\n"),
        Draft(
            title: "House", folder: "Home", tags: ["home"], daysAgo: 330, time: "19:12",
            text: """
                # House

                | room | what | when |
                |---|---|---|
                | kitchen | shelf above the stove | done |
                | bath | new seal | this spring |
                | cellar | light switch | [[Shopping]] |

                ## Open
                """),
        Draft(
            title: "Choir", folder: "", tags: ["music"], daysAgo: 344, time: "22:03",
            text: """
                # Choir

                Tuesdays at 19:30, Chapel Hill 31. Ines leads, Tomas sings bass.

                1. Warm-up
                2. The old pieces
                3. The new one, see [[Summer trip]] for the concert there

                """),
        Draft(
            title: "Reading list", folder: "", tags: ["books"], daysAgo: 318, time: "21:40",
            text: "- *A Field Guide to Fog*\n- *Letters from the Harbour*, again\n"),
        Draft(
            title: "Running plan", folder: "", tags: ["health"], daysAgo: 210, time: "07:50",
            text: "Three times a week, never two days in a row. The habit *Run* keeps count.\n\n- Week 1: 3 × 4 km\n"),
        Draft(
            title: "Summer trip", folder: "Travel", tags: ["travel"], daysAgo: 190, time: "20:31",
            text: """
                # Summer trip

                Ferry on the 4th, back on the 15th. With Lena and Jonas.

                - [x] tickets
                - [x] ask Ruth about the cat
                - [ ] the walk along the cliffs

                > Bring the small tent, not the large one.

                Pack by the list in [[Packing]].
                """),
        Draft(
            title: "Packing", folder: "Travel", tags: ["travel"], daysAgo: 188, time: "20:02",
            text: "- [ ] rain jacket\n- [ ] head lamp\n- [ ] map\n- [ ] the good thermos\n"),
        Draft(
            title: "Lentil soup", folder: "Recipes", tags: ["recipes"], daysAgo: 150, time: "18:44",
            text:
                "# Lentil soup\n\n300 g lentils, 2 carrots, 1 onion, cumin.\n\n1. Fry the onion.\n2. Add the rest, 35 min.\n"
        ),
        Draft(
            title: "Sourdough", folder: "Recipes", tags: ["recipes"], daysAgo: 121, time: "09:03",
            text: "| step | time | temperature |\n|---|---|---|\n| rise | 8 h | 24 °C |\n| bake | 45 min | 240 °C |\n"),
        Draft(
            title: "Grüße aus Nordhafen", folder: "Languages", tags: ["deutsch"], daysAgo: 99, time: "12:00",
            text: "Übung: *Der Fährmann wartet, bis alle an Bord sind.*\n\n- die Fähre, -n\n- übersetzen (trennbar!)\n"),
        Draft(
            title: "مفردات", folder: "Languages", tags: ["languages"], daysAgo: 88, time: "12:10",
            text: "- صباح الخير: good morning\n- ميناء: harbour\n- شكرا: thank you\n"),
        Draft(
            title: "日本語の練習", folder: "Languages", tags: ["languages"], daysAgo: 71, time: "12:20",
            text: "1. 港 (みなと) harbour\n2. 合唱団 (がっしょうだん) choir\n3. 毎週火曜日に歌います。\n"),
        Draft(
            title: "Лист до тітки", folder: "Languages", tags: ["languages"], daysAgo: 52, time: "12:30",
            text: "Дорога тітко Ольго,\n\nдякую за книжку. У нас усе добре.\n"),
        Draft(
            title: "Budget", folder: "Home", tags: ["money"], daysAgo: 140, time: "19:19",
            text: "| month | in | out |\n|---|--:|--:|\n| March | 2,900 | 2,410 |\n| April | 2,900 | 2,735 |\n"),
        Draft(
            title: "Gift ideas", folder: "", tags: ["people"], daysAgo: 66, time: "22:22",
            text: "- Ines: the fog book, see [[Reading list]]\n- Jonas: plum jam\n- Tomas: **no walnuts**\n"),
        Draft(
            title: "Bicycle", folder: "Home", tags: ["home"], daysAgo: 33, time: "18:18",
            text: "Chain: 9-speed, 116 links.\n\n```\nfront 44  rear 11-34\n```\n"),
        Draft(
            title: "Talk with the landlord", folder: "Home", tags: ["home"], daysAgo: 15, time: "16:05",
            text: "He sends a plumber for the boiler, see [[House]]. Rent stays as it is until spring.\n"),
        Draft(
            title: "Draft of a speech", folder: "", tags: [], daysAgo: 80, time: "23:30",
            text: "Dear Lena, dear guests, …\n"),
        Draft(
            title: "Old packing list", folder: "Travel", tags: ["travel"], daysAgo: 300, time: "08:30",
            text: "- skis\n- wax\n"),
    ]
}
