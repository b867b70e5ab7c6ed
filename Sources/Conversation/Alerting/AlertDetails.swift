/// The place of the patient and the state of the device when an alert was raised.
package struct AlertDetails: Sendable, Equatable, Codable {
    /// A place on the earth (WGS 84).
    package struct Place: Sendable, Equatable, Codable {
        /// Degrees north, -90 to 90.
        package let latitude: Double
        /// Degrees east, -180 to 180.
        package let longitude: Double

        /// Makes a place; nil when there is none at these degrees.
        package init?(latitude: Double, longitude: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The place; nil when the device did not report it.
    package var place: Place?
    /// The battery's charge, 0 to 1; nil when the device did not report it.
    package var battery: Double?

    /// Makes details.
    package init(place: Place? = nil, battery: Double? = nil) {
        self.place = place
        self.battery = battery
    }
}
