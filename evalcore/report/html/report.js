
"use strict";
(() => {
  const PAGE = 200, SHORT = 1500;
  const GLYPHS = ["!", "✗", "○", "✓"], WORDS = ["error", "failed", "not evaluated", "passed"];
  const CLASSES = ["error", "failed", "not_evaluated", "passed"], DOTS = ["!", "○", "·", "●"];
  const NEAR = 1, FLAKY = 2;
  const KINDS = { missing: "not there", extra: "not expected", changed: "differs", type: "another type" };
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("index").textContent);
  const lines = data.lines.map((held, place) => {
    const [row, key, label, repeat, verdict, marks, causes, tags, checks, turns, duration, answer] = held;
    return { place, row, key, label, repeat, verdict, marks, causes, tags, checks, turns, duration, answer };
  });
  const repeats = new Map();
  for (const line of lines) {
    if (!repeats.has(line.key)) repeats.set(line.key, []);
    repeats.get(line.key).push(line);
  }
  for (const group of repeats.values()) group.sort((a, b) => a.repeat - b.repeat);

  const el = (tag, held = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(held)) {
      if (name === "onclick") made.addEventListener("click", value);
      else if (value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const own = (text) => el("bdi", {}, text);
  const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  const said = (code) => (code === null ? "· n/a" : `${GLYPHS[code]} ${WORDS[code]}`);

  const details = (line) => JSON.parse(byId(`case-${line.place}`).textContent);
  const haystacks = new Map();
  const strings = (value, found) => {
    if (typeof value === "string") found.push(value);
    else if (Array.isArray(value)) value.forEach((item) => strings(item, found));
    else if (value && Array.isArray(value.pieces)) found.push(value.pieces.join("") + value.rest);
    else if (value && typeof value === "object") Object.values(value).forEach((item) => strings(item, found));
    return found;
  };
  const haystack = (line) => {
    if (!haystacks.has(line.place)) {
      const found = [line.label, ...line.causes.map((n) => data.causes[n]), ...line.tags.map((n) => data.tags[n])];
      haystacks.set(line.place, strings(details(line), found).join("\n").toLowerCase());
    }
    return haystacks.get(line.place);
  };

  const VERDICTS = [
    ["", "any", () => true],
    ["bad", "failures and errors", (l) => l.verdict < 2],
    ["1", "✗ failed", (l) => l.verdict === 1],
    ["0", "! error", (l) => l.verdict === 0],
    ["2", "○ not evaluated", (l) => l.verdict === 2],
    ["3", "✓ passed", (l) => l.verdict === 3],
    ["flaky", "flaky: passed in some repeats only", (l) => (l.marks & FLAKY) > 0],
    ["near", "near: passed by little", (l) => (l.marks & NEAR) > 0],
  ];
  const ORDERS = [
    ["", "worst first", (a, b) => a.place - b.place],
    ["file", "as in the file", (a, b) => a.row - b.row],
    ["name", "by name", (a, b) => a.label.localeCompare(b.label) || a.row - b.row],
    ["duration", "slowest first", (a, b) => (b.duration ?? -1) - (a.duration ?? -1) || a.row - b.row],
  ];
  const NAMES = ["search", "verdict", "check", "said", "cause", "tag", "order"];
  const fields = Object.fromEntries(NAMES.map((name) => [name, byId(name)]));
  let matching = lines, page = 0, chosen = null;

  const options = (field, pairs) => field.append(...pairs.map(([value, text]) => el("option", { value }, text)));
  options(fields.verdict, VERDICTS);
  options(fields.order, ORDERS);
  options(fields.check, [["", "any"], ...data.checks.map((name, n) => [String(n), name]).filter((_, n) => data.judged[n])]);
  options(fields.said, [["", "anything"], ...WORDS.map((_, code) => [String(code), said(code)])]);
  options(fields.cause, [["", "any"], ...data.causes.map((text, n) => [String(n), text.length > 90 ? `${text.slice(0, 89)}…` : text])]);
  options(fields.tag, [["", "any"], ...data.tags.map((text, n) => [String(n), text])]);
  byId("tag-label").hidden = data.tags.length === 0;
  if (![...repeats.values()].some((group) => group.length > 1)) fields.verdict.querySelector('[value="flaky"]').remove();

  const filter = () => {
    const words = fields.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const is = VERDICTS.find(([value]) => value === fields.verdict.value)[2];
    const { check, said: code, cause, tag } = Object.fromEntries(NAMES.map((n) => [n, fields[n].value]));
    const order = ORDERS.find(([value]) => value === fields.order.value)[2];
    matching = lines.filter((line) =>
      is(line) &&
      (check === "" || (code === "" ? line.checks[check] !== null : line.checks[check] === Number(code))) &&
      (cause === "" || line.causes.includes(Number(cause))) &&
      (tag === "" || line.tags.includes(Number(tag))) &&
      words.every((word) => haystack(line).includes(word))).sort(order);
  };

  const update = () => {
    fields.said.disabled = fields.check.value === "";
    if (fields.said.disabled) fields.said.value = "";
    filter();
    page = 0;
    draw();
    remember();
  };

  const draw = () => {
    const start = page * PAGE, shown = matching.slice(start, start + PAGE), total = lines.length;
    byId("shown").textContent = matching.length === total
      ? plural(total, "case result")
      : `${matching.length.toLocaleString("en")} of ${plural(total, "case result")} match`;
    byId("cases").replaceChildren(...shown.map((line) => el("li", {}, el("button",
      { type: "button", "data-place": line.place, "aria-current": line === chosen ? "true" : null, onclick: () => choose(line, true) },
      el("span", { class: CLASSES[line.verdict] }, said(line.verdict), " "),
      el("span", { class: "name" }, own(line.label)),
      el("small", { dir: "auto" }, hint(line))))));
    const pages = Math.max(1, Math.ceil(matching.length / PAGE));
    byId("page").textContent = `${page + 1} of ${pages}`;
    byId("back").disabled = page === 0;
    byId("on").disabled = page + 1 >= pages;
    document.querySelector(".pager").hidden = pages === 1;
    document.querySelectorAll(".chip").forEach((chip) =>
      chip.setAttribute("aria-pressed", String(fields.verdict.value === chip.dataset.verdict)));
  };

  const hint = (line) => {
    const parts = line.causes.slice(0, 1).map((n) => data.causes[n]);
    if (line.marks & FLAKY) parts.push("flaky");
    if (line.marks & NEAR) parts.push("passed by little");
    if (line.turns > 1) parts.push(plural(line.turns, "turn"));
    return parts.join(" · ");
  };

  const remember = () => {
    const kept = new URLSearchParams();
    for (const name of NAMES) {
      const value = fields[name].value;
      if (value) kept.set(name, name === "cause" ? data.causes[value] : name === "tag" ? data.tags[value] : value);
    }
    if (chosen) kept.set("result", String(chosen.row));
    history.replaceState(null, "", `#${kept}`);
  };

  const recall = () => {
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const name of NAMES) {
      const value = kept.get(name) ?? "";
      const at = name === "cause" ? data.causes.indexOf(value) : name === "tag" ? data.tags.indexOf(value) : value;
      fields[name].value = at === -1 ? "" : String(at);
      if (fields[name].selectedIndex === -1) fields[name].value = "";
    }
    const wanted = lines.find((line) => String(line.row) === kept.get("result"));
    update();
    if (wanted ?? matching[0]) choose(wanted ?? matching[0], false);
  };

  const choose = (line, move) => {
    chosen = line;
    const place = matching.indexOf(line);
    if (place >= 0 && Math.floor(place / PAGE) !== page) {
      page = Math.floor(place / PAGE);
      draw();
    }
    for (const button of byId("cases").querySelectorAll("button")) {
      const isOurs = Number(button.dataset.place) === line.place;
      if (isOurs) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (isOurs) button.scrollIntoView({ block: "nearest" });
    }
    byId("case").replaceChildren(...shownCase(line));
    if (move) {
      byId("case").focus({ preventScroll: true });
      if (byId("case").getBoundingClientRect().top < 0) byId("case").scrollIntoView({ block: "start" });
      remember();
    }
  };

  const shownCase = (line) => {
    const found = details(line);
    const parts = [el("h2", {}, el("span", { class: CLASSES[line.verdict] }, said(line.verdict)), " ", own(line.label))];
    parts.push(...strip(line));
    if (line.marks & NEAR) parts.push(el("p", { class: "caution" }, "Passed by little: a score lies just above its mark."));
    for (const n of line.causes) parts.push(el("p", { class: "reason" }, "Why: ", own(data.causes[n])));
    if (line.tags.length) parts.push(el("p", { class: "note" }, "Tags: ", own(line.tags.map((n) => data.tags[n]).join(", "))));
    if (found === null) {
      parts.push(el("p", { class: "caution" }, "The texts of this case were left out: this file is full. Evaldesk and the JSON report have them."));
      return parts;
    }
    if (found.error) parts.push(el("p", { class: "error reason" }, "Error: ", own(found.error)));
    for (const note of found.notes) parts.push(el("p", { class: "caution" }, "Caution: ", own(note)));
    if (found.scores.length) parts.push(el("h3", {}, "Scores of the whole case"), scores(found.scores));
    for (const turn of found.turns) parts.push(shownTurn(turn, found.turns.length));
    if (!found.turns.length) parts.push(el("p", { class: "note" }, "There are no turns in the result."));
    return parts;
  };

  const strip = (line) => {
    const group = repeats.get(line.key);
    if (group.length < 2) return [];
    const passed = group.filter((one) => one.verdict === 3).length;
    const answers = new Set(group.map((one) => one.answer)).size;
    const scope = data.is_part ? " in this file, which may not hold all repeats" : "";
    return [el("p", { class: "strip" },
      ...group.map((one) => el("button", {
        type: "button", class: CLASSES[one.verdict], onclick: () => choose(one, true), "aria-current": one === line ? "true" : null,
        "aria-label": `repeat ${one.repeat + 1}: ${WORDS[one.verdict]}`, title: `repeat ${one.repeat + 1}: ${WORDS[one.verdict]}`,
      }, DOTS[one.verdict])),
      ` ${passed} of ${group.length} passed, ${plural(answers, "distinct answer")}${scope}`)];
  };

  const shownTurn = (turn, count) => {
    const title = count > 1 ? `Turn ${turn.number}` : "What was said";
    const verdict = turn.verdict === null || count === 1 ? "" : ` ${said(CLASSES.indexOf(turn.verdict))}`;
    const parts = [el("h3", {}, title, verdict, turn.time ? el("span", { class: "note" }, ` ${turn.time}`) : null)];
    if (turn.error) parts.push(el("p", { class: "error reason" }, "Error: ", own(turn.error)));
    parts.push(longText(turn.said, "none recorded"));
    if (turn.behavior) parts.push(el("p", { class: "reason" }, "Expected behaviour: ", own(turn.behavior)));
    parts.push(el("div", { class: "sides" },
      el("div", {}, el("h3", {}, "Expected"), side(turn.expected, "del", "nothing expected"),
        turn.origin ? el("p", { class: "note" }, turn.origin) : null),
      el("div", {}, el("h3", {}, "Actual"), side(turn.actual, "ins", "nothing came"))));
    if (turn.note) parts.push(el("p", { class: "note" }, turn.note));
    if (turn.changes) parts.push(...changes(turn.changes));
    if (turn.calls) parts.push(...calls(turn.calls));
    if (turn.nodes) parts.push(...nodes(turn.nodes));
    if (turn.scores.length) parts.push(el("h3", {}, "Scores"), scores(turn.scores));
    return el("section", { class: "turn", "aria-label": title }, ...parts);
  };

  const side = (held, tag, none) => (held === null ? el("p", { class: "none" }, none) : longText(held, "empty text", tag));

  const longText = (held, none, tag = "mark") => {
    const length = held.pieces.reduce((sum, piece) => sum + piece.length, 0) + held.rest.length;
    if (length === 0) return el("p", { class: "none" }, none);
    const box = el("div", { class: "text", dir: "auto", tabindex: "0" });
    const fill = (limit) => {
      let left = limit;
      const made = [];
      held.pieces.forEach((piece, n) => {
        const shown = piece.slice(0, left);
        left -= shown.length;
        if (shown) made.push(n % 2 ? el(tag, {}, shown) : shown);
      });
      made.push(held.rest.slice(0, left));
      box.replaceChildren(...made);
    };
    if (length <= SHORT * 1.2 && !held.left_out) {
      fill(length);
      return box;
    }
    fill(SHORT);
    const more = el("button", { type: "button", class: "more" }, `Show all ${length.toLocaleString("en")} characters`);
    more.addEventListener("click", () => {
      fill(length);
      more.remove();
    });
    const out = held.left_out ? el("p", { class: "note" }, `${held.left_out.toLocaleString("en")} more characters are not in this file; the JSON report has them.`) : null;
    return el("div", {}, box, more, out);
  };

  const table = (heads, rows) => el("div", { class: "scroll", tabindex: "0" }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows)));

  const scores = (held) => el("div", { class: "scores" }, table(["check", "score", "reason"], held.map((score) => el("tr", { class: score.near ? "wash" : null },
    el("th", { scope: "row" }, own(score.name)),
    el("td", { class: score.verdict }, score.words, score.near ? " (by little)" : ""),
    el("td", { class: "reason" },
      score.reason.pieces[0] ? longText(score.reason, "") : "–",
      ...score.cautions.map((text) => el("p", { class: "caution" }, "Caution: ", own(text))),
      ...score.rubrics.map(([rubric, number, votes, why]) => el("p", {}, own(rubric), `: ${number}`, votes ? ` (votes: ${votes})` : "", why ? ". " : "", own(why ?? ""))))))));

  const changes = (held) => {
    if (!held.rows.length) return [];
    const value = (text) => (text === null ? el("span", { class: "none" }, "not there") : el("code", {}, text));
    return [el("h3", {}, "Where the data differs"),
      table(["place", "", "expected", "actual"], held.rows.map(([path, kind, a, b]) => el("tr", {},
        el("th", { scope: "row" }, el("code", {}, path)), el("td", {}, KINDS[kind] ?? kind), el("td", {}, value(a)), el("td", {}, value(b))))),
      ...more(held)];
  };

  const more = (held) => (held.more || held.cut ? [el("p", { class: "note" }, held.cut ? "There are further places." : `and ${held.more.toLocaleString("en")} more`)] : []);

  const call = (held) => (held === null ? el("span", { class: "none" }, "–") : el("span", {}, `${held.step}. `, el("code", {}, held.args === null ? held.name : `${held.name} ${held.args}`)));

  const calls = (held) => {
    const title = el("h3", {}, "Tool calls");
    if (!held.rows.length) return [title, el("p", { class: "note" }, held.is_expected ? "None expected, none made." : "None made; nothing says which were expected.")];
    const heads = held.is_expected ? ["", "expected", "actual", "what differs"] : ["actual"];
    const good = new Set(["matched"]);
    const rows = held.rows.map((pair) => el("tr", {}, ...(held.is_expected
      ? [el("td", { class: good.has(pair.match) ? "passed" : "failed" }, pair.words), el("td", {}, call(pair.expected)), el("td", {}, call(pair.actual)), el("td", { class: "reason" }, own(pair.differs))]
      : [el("td", {}, call(pair.actual))])));
    return [title, table(heads, rows), held.origin ? el("p", { class: "note" }, `Expected calls ${held.origin}`) : "", ...more(held)];
  };

  const nodes = (held) => {
    const cell = (name, isBad) => el("td", { class: isBad ? "failed" : null }, name === null ? el("span", { class: "none" }, "–") : own(name));
    const heads = held.is_expected ? ["expected", "visited"] : ["visited"];
    return [el("h3", {}, "Nodes"), table(heads, held.rows.map(([a, b]) => el("tr", {}, ...(held.is_expected ? [cell(a, b === null), cell(b, a === null)] : [cell(b, false)])))), ...more(held)];
  };

  const step = (by) => {
    const place = matching.indexOf(chosen) + by;
    if (matching[place]) choose(matching[place], true);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { verdict, check, said: code, cause } = button.dataset;
    if (verdict !== undefined) fields.verdict.value = fields.verdict.value === verdict ? "" : verdict;
    else if (check !== undefined) [fields.check.value, fields.said.value] = [check, code];
    else if (cause !== undefined) fields.cause.value = String(data.causes.indexOf(cause));
    else return;
    update();
    document.querySelector("main").scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "/") {
      event.preventDefault();
      fields.search.focus();
    }
  });
  byId("clear").addEventListener("click", () => {
    for (const name of NAMES) fields[name].value = "";
    update();
  });
  byId("back").addEventListener("click", () => { page -= 1; draw(); });
  byId("on").addEventListener("click", () => { page += 1; draw(); });
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  fields.search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 150);
  });
  for (const name of NAMES.slice(1)) fields[name].addEventListener("change", update);
  window.addEventListener("hashchange", recall);
  document.querySelector("main").hidden = false;
  byId("no-script").remove();
  recall();
})();
