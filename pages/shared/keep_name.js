// Keeps the person's name in this browser, or forgets it when there is none.
const YEAR_IN_SECONDS = 31536000;

export default function ({ data }) {
  const age = data.value ? YEAR_IN_SECONDS : 0;
  document.cookie = `${data.cookie}=${data.value}; path=/; max-age=${age}; SameSite=Lax`;
}
