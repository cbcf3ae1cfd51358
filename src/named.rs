//! Enums whose values have stable names. Pure.

/// Declares a public enum with `ALL`, `as_str`, `named` and `Display`: each name is written once.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$says:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$about])*
        pub enum $type {
            $(#[doc = concat!("`", $name, "`\n")] $(#[$says])* $value,)*
        }

        impl $type {
            /// All values, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The value's name, as in JSON and in the specification.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)*
                }
            }

            /// The value of this name; `None` if no value has it.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use named;
