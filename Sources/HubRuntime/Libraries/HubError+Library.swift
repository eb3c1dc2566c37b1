import System

extension HubError {
    /// The same error; of a library that is not installed, with the library and its package, whatever failed because of it.
    var namingLibrary: HubError { namingLibrary(among: Library.all) }

    /// The same with these libraries.
    func namingLibrary(among libraries: @autoclosure () -> [Library]) -> HubError {
        let texts = [message] + details + [cause.map { "\($0)" } ?? ""]
        guard code != "library-missing", texts.contains(where: { $0.contains(".so.") }),
            let library = libraries().first(where: { library in
                library.soname.map { name in texts.contains { $0.contains(name) } } == true && !library.isInstalled
            }), let soname = library.soname, let package = library.package
        else { return self }
        let first = "\(library.name) is not installed: \(soname) cannot be loaded"
        let what = kind == .internal ? "this needs \(library.name), which is not installed" : message
        return HubError(
            .unavailable, code: "library-missing", what,
            details: [first] + (kind == .internal ? [] : details.filter { !$0.contains(soname) }),
            hint: "apt install \(package)", cause: cause ?? self)
    }
}
