import Domain
import Runtime

/// Readings of a telephone that come with an alarm, a fall or a heartbeat.
///
/// They never delay the report with which they come: a reading that cannot be understood is left out.
extension Schema {
    /// The position of a device.
    static let place = Schema.either(
        .object(
            .required("lat", .number(-90...90).noted("Degrees north.")),
            .required("lng", .number(-180...180).noted("Degrees east."))
        ).named("Place"),
        .anything.noted(
            "`latitude` and `longitude`, as telephones name them, also within `coords`. Anything else is left out."
        )
    )

    /// The charge of a battery.
    static let battery = Schema.either(
        .number(-1...1).noted("Level of the battery, 0 to 1; -1 where the telephone does not know it."),
        .anything.noted("Anything else is left out.")
    )
}

extension JSONValue {
    /// The charge of a battery; nil for an unknown or invalid charge, as from an iPhone whose app has not asked for it.
    var charge: Double? { number.flatMap { (0...1).contains($0) ? $0 : nil } }

    /// The position of a device, in the words of any telephone; nil for anything else.
    var place: AlertDetails.Place? {
        let point = self["coords"] ?? self
        guard let latitude = (point["lat"] ?? point["latitude"])?.number,
            let longitude = (point["lng"] ?? point["longitude"])?.number
        else { return nil }
        return AlertDetails.Place(latitude: latitude, longitude: longitude)
    }
}
