/// A call to the Bluetooth service, or to a device through it.
package enum BlueZCall: Hashable, Sendable {
    /// `ObjectManager.GetManagedObjects`, after the matches for its signals; the answer is an event of its own.
    case getObjects
    case power(adapter: String)
    /// Registers an agent without input and output, which even pairing without a question needs, as the default one.
    case registerAgent
    /// Registers the service that gives the device the time; before the connection, since the device reads it once.
    case registerTimeService(adapter: String)
    /// Low energy, only the services of recorders and their bootloaders, no duplicates.
    case setDiscoveryFilter(adapter: String)
    case startDiscovery(adapter: String)
    case stopDiscovery(adapter: String)
    case connect(device: String)
    case pair(device: String)
    case trust(device: String)
    /// Writes to the characteristic for pairing.
    case writePairing(characteristic: String, FTSPairingCommand)
    case disconnect(device: String)
    case removeDevice(adapter: String, device: String)

    /// How long the answer may take.
    package var timeout: Duration {
        switch self {
        case .pair: .seconds(60)
        case .connect, .writePairing: .seconds(40)
        default: .seconds(10)
        }
    }
}
