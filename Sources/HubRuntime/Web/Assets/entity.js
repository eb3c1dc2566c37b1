// The page of a plugin without scripts of its own: list, item, trash and history of its first entity.
import { entityPage } from "/assets/components/entitypage.js";

entityPage();
