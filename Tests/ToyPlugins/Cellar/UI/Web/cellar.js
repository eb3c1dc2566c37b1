// What the page has more than that of every entity: a form.
import { entityPage } from "/assets/components/entitypage.js";
import { dateField, textField } from "/assets/components/fields.js";

entityPage({
  form: {
    fields: () => [textField({ name: "name", label: "Name", isRequired: true }), dateField({ name: "day", label: "Day" })],
    values: (bottle) => ({ name: bottle?.name ?? "", day: bottle?.day ?? "" }),
    body: (values) => values,
  },
});
