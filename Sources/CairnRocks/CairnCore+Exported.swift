// This module's API uses the keys, codecs, durability and errors of CairnCore, so importing this module imports them too.
@_exported public import CairnCore
