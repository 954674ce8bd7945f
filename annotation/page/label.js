"use strict";

const element = (id) => document.getElementById(id);
const form = element("form"), choices = element("choices"), video = element("video"), save = element("save");
const undos = document.querySelectorAll("button.undo");
let state = null; // what the server said last
let typed = ""; // the digits or letters of a choice so far
let sending = false;

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const reply = await fetch(path, { ...options, cache: "no-store", credentials: "omit" });
  if (!reply.ok) {
    const error = new Error((await reply.text()).trim());
    error.status = reply.status;
    throw error;
  }
  return reply.json();
}

// Sends one thing at a time; what was chosen stays chosen until the server has said that it is kept.
async function send(path, body, said) {
  if (sending) return;
  sending = true;
  enable();
  try {
    const found = await ask(path, body);
    sending = false;
    fault("");
    show(found, said);
  } catch (error) {
    sending = false;
    if (error.status === 409) {
      show(await ask("state"), "");
      fault("This video was answered in another window meanwhile; here is what comes now.");
    } else if (error.status === undefined) {
      fault("Not saved: no answer from calibench label. Is it still running? If so, save once more; " +
        "if it was started again, open its new address. What was saved before is kept.");
    } else {
      fault(`Not saved: ${error.message}.`);
    }
  }
  enable();
}

function fault(text) {
  element("fault").textContent = text;
  element("fault").hidden = !text;
}

function choiceOf(one, number) {
  const label = document.createElement("label"), input = document.createElement("input");
  label.className = "choice";
  input.type = "radio";
  input.name = "choice";
  input.value = String(number);
  const text = document.createElement("span");
  text.textContent = { outcome: one.outcome, null: "Cannot be scored", "cannot-tell": "Cannot tell" }[one.answer];
  const hint = { null: "By the rule it shows no outcome: null", "cannot-tell": "It may show one; I am not sure" }[one.answer];
  if (hint) {
    const small = document.createElement("small");
    small.textContent = hint;
    text.append(small);
  }
  label.append(input, text);
  if (one.typed !== one.outcome) {
    const key = document.createElement("kbd");
    key.textContent = one.typed.toUpperCase();
    label.append(key);
  }
  return label;
}

function show(found, said) {
  const before = state && state.video && state.video.id;
  state = found;
  element("annotator").textContent = `by ${state.annotator}`;
  element("progress").max = state.all;
  element("progress").value = state.done;
  element("count").textContent = `${state.done} of ${state.all} answered`;
  element("work").hidden = !state.video;
  element("finished").hidden = Boolean(state.video);
  if (!state.video) {
    finish(said);
  } else if (state.video.id !== before) {
    present(state.video, said);
  }
}

function present(shown, said) {
  const title = `${shown.title}: video ${shown.place} of ${shown.places}`;
  element("title").textContent = title;
  document.title = `${title} · Label videos`;
  element("rule").textContent = shown.rule || "";
  element("rule-box").hidden = !shown.rule;
  element("outcomes").replaceChildren();
  element("others").replaceChildren();
  shown.choices.forEach((one, number) => {
    element(one.answer === "outcome" ? "outcomes" : "others").append(choiceOf(one, number));
  });
  const longest = Math.max(...shown.choices.map((one) => (one.outcome || "").length));
  element("outcomes").className = `outcomes ${longest > 12 ? "long" : longest > 2 ? "words" : ""}`;
  element("unplayable").hidden = true;
  choose("");
  // Nothing can be answered on a video before it is there to be seen.
  video.dataset.ready = "";
  video.src = `video/${encodeURIComponent(shown.id)}`;
  video.autoplay = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  video.load();
  enable();
  element("status").textContent = `${said} ${title}`.trim();
  element("title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function finish(said) {
  video.removeAttribute("src");
  video.load();
  video.dataset.ready = "";
  document.title = "Done · Label videos";
  const count = state.counts;
  element("summary").textContent = `Outcomes: ${count.outcome}. Cannot be scored: ${count.null}. ` +
    `Cannot tell: ${count["cannot-tell"]}.` + (count.unplayable ? ` Could not be played: ${count.unplayable}.` : "");
  element("status").textContent = `${said} That was the last video.`.trim();
  element("finished-title").focus();
}

function chosen() {
  if (!state || !state.video) return null;
  const input = form.querySelector("input[name=choice]:checked");
  return input && state.video.choices[Number(input.value)];
}

function choose(text) {
  typed = text;
  const number = state.video.choices.findIndex((one) => one.typed === text);
  for (const input of form.querySelectorAll("input[name=choice]")) input.checked = Number(input.value) === number;
  enable();
  return number >= 0;
}

function enable() {
  const ready = Boolean(video.dataset.ready) && !sending;
  choices.disabled = !ready;
  save.disabled = !ready || !chosen();
  for (const button of undos) button.disabled = sending || !(state && state.last);
}

function submit() {
  const one = chosen();
  if (one && !save.disabled) {
    send("answer", { video: state.video.id, answer: one.answer, outcome: one.outcome }, "Saved.");
  }
}

function undo() {
  if (state && state.last && !sending) send("undo", { video: state.last }, "Taken back.");
}

function pause() {
  if (video.paused) video.play().catch(() => {});
  else video.pause();
}

function lastFrame() {
  video.pause();
  if (Number.isFinite(video.duration)) video.currentTime = video.duration;
}

video.addEventListener("loadeddata", () => {
  video.dataset.ready = "yes";
  enable();
});
video.addEventListener("error", () => {
  if (!state || !state.video || !video.hasAttribute("src")) return;
  video.dataset.ready = "";
  enable();
  element("unplayable").hidden = false;
  fault("This browser cannot play the video. That is no answer: go on, and it will be asked again another time.");
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
form.addEventListener("change", () => {
  typed = "";
  enable();
});
element("unplayable").addEventListener("click", () => {
  send("answer", { video: state.video.id, answer: "unplayable", outcome: null }, "");
});
for (const button of undos) button.addEventListener("click", undo);
element("pause").addEventListener("click", pause);
element("end").addEventListener("click", lastFrame);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (!element("shortcuts").checked || !state) return;
  const key = event.key.toLowerCase();
  const own = event.target.closest("button, summary, input[type=checkbox]");
  if (key === "u") undo();
  else if (!state.video) return;
  else if (key === "p") pause();
  else if (key === "e") lastFrame();
  else if (key === "enter" && !own) submit();
  else if (key === "escape") choose("");
  else if (key.length === 1 && /[a-z0-9]/.test(key) && !choices.disabled) {
    // 1 then 2 is 12 where there is a 12, and else 2.
    const codes = state.video.choices.map((one) => one.typed);
    if (codes.some((code) => code.startsWith(typed + key))) choose(typed + key);
    else if (codes.some((code) => code.startsWith(key))) choose(key);
    else return;
  } else return;
  event.preventDefault();
});

ask("state").then((found) => show(found, ""), () => {
  fault("No answer from calibench label. Is it still running? If it was started again, open its new address.");
});
