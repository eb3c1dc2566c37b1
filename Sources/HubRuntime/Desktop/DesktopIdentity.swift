/// The name by which the desktop knows hub: that of its `.desktop` file, its icon and its name on the session bus.
package enum DesktopIdentity {
    /// The name. It stays the same for ever: desktops remember permissions and choices by it.
    package static let id = "io.github.hub_personal.Hub"
    /// The path of the application's object on the session bus.
    package static let path = "/io/github/hub_personal/Hub"
    /// The path of the object that GNOME's overview searches.
    package static let searchPath = path + "/SearchProvider"
}
