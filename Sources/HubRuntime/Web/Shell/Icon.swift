/// The icons of the frame: lines on a grid of 24 by 24, as those of the plugins are.
enum Icon {
    static let today = """
        <rect x="3.5" y="5" width="17" height="15.5" rx="3"/><path d="M3.5 10h17M8 3v4M16 3v4m-7 8.2 2.1 2.1 4-4"/>
        """
    static let search = #"<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>"#
    static let add = #"<path d="M12 5v14M5 12h14"/>"#
    static let undo = #"<path d="M8 4 3.5 8.5 8 13M4 8.5h10a6 6 0 0 1 0 12h-3"/>"#
    static let redo = #"<path d="m16 4 4.5 4.5L16 13m4-4.5H10a6 6 0 0 0 0 12h3"/>"#
    static let more = """
        <circle cx="5" cy="12" r="1"/><circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/>
        """
    static let settings = """
        <path d="M3.5 7h10m5 0h2m-17 10h2m5 0h10"/><circle cx="16" cy="7" r="2.5"/><circle cx="8" cy="17" r="2.5"/>
        """
    static let clock = #"<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>"#
    static let phone = #"<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18.5h2"/>"#
    static let trash = #"<path d="M4 6.5h16M9.5 6.5v-2h5v2M6 6.5l1 14h10l1-14M10 10.5v6m4-6v6"/>"#
    static let keys = """
        <rect x="2.5" y="6" width="19" height="12" rx="2.5"/><path d="M6.5 10h.01m3.7 0h.01m3.7 0h.01m3.6 0h.01M8 14h8"/>
        """
    static let logOut = #"<path d="M10 4H6.5a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2H10m5-12 4 4-4 4m4-4H9.5"/>"#
    static let page = #"<rect x="4.5" y="3.5" width="15" height="17" rx="2.5"/><path d="M8 8.5h8m-8 4h8m-8 4h5"/>"#

    /// An icon beside words, or in a button that has a name of its own: screen readers pass it over.
    static func svg(_ shapes: String) -> String {
        "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">\(shapes)</svg>"
    }
}
