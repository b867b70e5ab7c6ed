import Foundation
package import Runtime

/// A user's settings for the app, in LegacyGuard's shape: the names of the members are the names on the wire.
///
/// The app does what they say. This service writes the user's mails in their language, and does nothing else by them:
/// who is told of a danger is decided by consent alone.
package struct UserSettings: Sendable, Equatable, Codable {
    /// Colours of the app.
    package enum Theme: String, Sendable, Codable, CaseIterable { case light, dark, system }

    /// Which notifications the app shows.
    package struct Notifications: Sendable, Equatable, Codable {
        package var emergencyAlerts = true
        package var documentUpdates = true
        package var familyActivity = true
        package var reminders = true
        package var marketing = false
    }

    /// What the app may collect; nothing, unless the user says so.
    package struct Privacy: Sendable, Equatable, Codable {
        package var analyticsEnabled = false
        package var crashReporting = false
        package var locationServices = false
    }

    /// How the app is locked.
    package struct Security: Sendable, Equatable, Codable {
        package var biometricEnabled = false
        /// Minutes without a touch until the app asks who it is; 0 for never.
        package var autoLockMinutes = 5
    }

    /// How the app works without a network.
    package struct Offline: Sendable, Equatable, Codable {
        package var offlineMode = false
        package var syncOnWifiOnly = false
        /// Megabytes that the app may keep on the telephone.
        package var storageLimitMb = 500
    }

    /// How the app is read.
    package struct Accessibility: Sendable, Equatable, Codable {
        package var textSizePercent = 100
        package var highContrast = false
        package var reduceMotion = false
        package var screenReader = false
    }

    package var theme = Theme.system
    /// A BCP 47 tag; nil while the user has chosen none.
    package var language: String?
    package var notifications = Notifications()
    package var privacy = Privacy()
    package var security = Security()
    package var offline = Offline()
    package var accessibility = Accessibility()

    package init() {}
}

extension UserSettings {
    /// The settings as an object.
    package var json: JSONValue {
        guard let data = try? JSONEncoder().encode(self), let json = try? JSONReader.read(Array(data)) else {
            return .object([])
        }
        return json
    }

    /// Returns the settings with the members that an object has; nil where a member is of another kind.
    ///
    /// Members that it lacks, at any depth, stay as they are here. So what a release stored, which knew fewer settings,
    /// is read with the usual values of the others.
    package func changed(by change: JSONValue) -> UserSettings? {
        try? JSONDecoder().decode(UserSettings.self, from: Data(Self.merge(json, change).bytes))
    }

    private static func merge(_ old: JSONValue, _ change: JSONValue) -> JSONValue {
        guard case .object(let members) = old, case .object(let changes) = change else {
            return change.isNull ? old : change
        }
        let kept = members.map { member in
            JSONValue.Member(
                name: member.name,
                value: change[member.name].map { merge(member.value, $0) } ?? member.value
            )
        }
        return .object(kept + changes.filter { old[$0.name] == nil })
    }
}
