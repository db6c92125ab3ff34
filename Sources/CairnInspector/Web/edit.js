// Changes: a dialog with fields, then what the change will do, then the change. And back.
import { change } from "./api.js";
import { h, number, value } from "./ui.js";

const element = (id) => document.getElementById(id);
const verbs = { insert: "new", update: "changed", delete: "deleted" };
let finish = async () => {};
let report = () => {};

/** Shows what can be undone; `null`: nothing may be changed. */
export function drawHistory(history) {
    element("history").hidden = !history;
    for (const name of ["undo", "redo"]) {
        const what = history?.[name];
        element(name).disabled = what === null || what === undefined;
        element(name).title = what ? `${name === "undo" ? "Undo" : "Redo"}: ${what}` : "";
    }
}

/** `done(place)` shows the store again, at another place if one is given; `complain` shows an error. */
export function startEditing(done, complain) {
    [finish, report] = [done, complain];
    for (const command of ["undo", "redo"]) {
        element(command).addEventListener("click", async () => {
            if (element(command).disabled) return;
            let fault = null;
            try {
                await change(command).catch((error) => { fault = error; });
                await finish();
            } catch (error) {
                fault ??= error;
            }
            if (fault) complain(fault);
        });
    }
}

function effects(list, count) {
    if (!list.length) return h("p", { class: "quiet" }, "Nothing changes.");
    return h("ul", { class: "effects" }, list.map((effect) => h(
        "li",
        { class: effect.kind },
        h("b", {}, effect.name), ` ${verbs[effect.kind]}`,
        effect.kind === "delete" && effect.changes.length > 1 ? null : h("dl", {}, effect.changes.flatMap((one) => [
            h("dt", {}, one.name),
            h("dd", {}, effect.kind === "insert" ? null : h("del", {}, value(one.before)), effect.kind === "update" ? " → " : null, effect.kind === "delete" ? null : h("ins", {}, value(one.after))),
        ])),
    )), count > list.length ? h("li", { class: "quiet" }, `and ${number(count - list.length)} more`) : null);
}

/**
 * Opens the dialog. `fields`: {name, title, text, isNil, canBeNil, note, choices, rows}; `edit(values)` makes the edit of what was entered, where
 * `null` is no value; `place(answer)` is where to go afterwards. Without fields, the dialog begins with what the edit will do.
 */
export function openEditor(title, fields, edit, { place, verb = "Save" } = {}) {
    const dialog = element("edit");
    const show = (...content) => {
        dialog.replaceChildren(h("h2", { id: "edit-title" }, title), ...content.filter(Boolean));
        if (!dialog.open) dialog.showModal();
        dialog.querySelector("textarea, input, select, button.main")?.focus();
    };
    const cancel = () => h("button", { type: "button", click: () => dialog.close() }, "Cancel");
    const attempt = async (body) => {
        try {
            await body();
        } catch (error) {
            if (!dialog.open) return report(error);
            dialog.querySelector(".bad")?.remove();
            dialog.append(h("p", { class: "bad", role: "alert" }, error.message));
        }
    };
    // `fault`: why what was shown before could not be made, as when another program has changed the store since.
    const preview = (made, fault = null) => attempt(async () => {
        const answer = await change("preview", made);
        const perform = async (event) => {
            event.target.disabled = true;
            let done;
            try {
                done = await change("perform", { edit: answer.edit });
            } catch (error) {
                return preview(made, error).finally(() => { event.target.disabled = false; });
            }
            dialog.close();
            await finish(place?.(done)).catch(report);
        };
        show(
            fault ? h("p", { class: "bad", role: "alert" }, `${fault.message.replace(/\.$/, "")}. This is what it would do now:`) : null,
            effects(answer.effects, answer.count),
            h("div", { class: "pager" },
                h("button", { type: "button", class: "main", disabled: !answer.effects.length, click: perform }, verb),
                fields.length ? h("button", { type: "button", click: form }, "Back") : null, cancel()),
        );
    });
    const entered = Object.fromEntries(fields.map((field) => [field.name, field.isNil ? null : field.text ?? ""]));
    function form() {
        // By their fields: a form has members of its own that a property may be called like.
        const [inputs, boxes] = [new Map(), new Map()];
        const submit = (event) => {
            event.preventDefault();
            for (const field of fields) entered[field.name] = boxes.get(field)?.checked ? null : inputs.get(field).value;
            preview(edit({ ...entered }));
        };
        const input = (field) => {
            const now = entered[field.name] ?? "";
            const rows = Math.min(12, Math.max(field.rows ?? 1, now.split("\n").length));
            const made = field.choices
                ? h("select", { name: field.name }, field.choices.map((choice) => h("option", { selected: choice === now }, choice)))
                : h("textarea", { name: field.name, rows: String(rows), spellcheck: "false", autocomplete: "off", input: () => { if (boxes.has(field)) boxes.get(field).checked = false; } });
            if (!field.choices) made.value = now;
            inputs.set(field, made);
            return made;
        };
        const box = (field) => {
            const made = h("input", { type: "checkbox", checked: entered[field.name] === null });
            boxes.set(field, made);
            return h("label", { class: "quiet" }, made, " nil");
        };
        show(h("form", { submit },
            fields.map((field) => h("div", { class: "field" },
                h("label", {}, field.title, field.note ? h("span", { class: "quiet" }, ` ${field.note}`) : null, input(field)),
                field.canBeNil ? box(field) : null)),
            h("div", { class: "pager" }, h("button", { class: "main" }, "Show what it will do"), cancel())));
    }
    if (fields.length) form();
    else preview(edit({}));
}

/** A button that opens the dialog. */
export const editButton = (title, label, open) => h("button", { type: "button", class: "edit", "aria-label": label, click: async () => {
    try {
        await open();
    } catch (error) {
        report(error);
    }
} }, title);
