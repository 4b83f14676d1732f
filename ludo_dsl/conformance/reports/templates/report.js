"use strict";
for (const box of document.querySelectorAll(".filters")) {
  const rows = box.nextElementSibling.querySelectorAll("tbody tr");
  const buttons = box.querySelectorAll("button");
  const input = box.querySelector("input");
  let wanted = "";
  const sift = () => {
    const words = input.value.toLowerCase();
    for (const row of rows) {
      row.hidden = (wanted !== "" && row.dataset.standing !== wanted) || !row.textContent.toLowerCase().includes(words);
    }
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === wanted));
  };
  for (const button of buttons) button.addEventListener("click", () => { wanted = button.value; sift(); });
  input.addEventListener("input", sift);
  box.hidden = false;
}
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target && target.closest("details");
  if (folded) { folded.open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", unfold);
unfold();
