import { expect, test } from "vitest";
import { trendOf } from "./trend.ts";

const minute = 60_000;
const points = (value: (minutes: number) => number) =>
  Array.from({ length: 61 }, (_, minutes) => [minutes * minute, value(minutes)] as const);

test("the trend is the hourly change of the later two thirds", () => {
  const filling = points((minutes) => (minutes < 20 ? minutes * 1_000 : 100 + minutes));
  expect(trendOf(filling).perHour).toBeCloseTo(60);
  expect(trendOf(filling).share).toBeCloseTo(60 / 140);
});

test("values that go up and down have no trend", () => {
  expect(Math.abs(trendOf(points((minutes) => 100 + (minutes % 2))).share)).toBeLessThan(0.001);
  expect(trendOf([]).share).toBe(0);
  expect(trendOf([[0, 5]]).perHour).toBe(0);
});
