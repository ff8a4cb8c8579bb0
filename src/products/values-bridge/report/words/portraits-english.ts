// What is written on leading values in English.
import type { ReportPortrait } from "../report-model.ts";

export const englishPortraits: Readonly<Record<string, ReportPortrait>> = {
  "Free Thinking": {
    high: "You like to work things out for yourself, and an answer that is simply handed over rarely satisfies you. Curiosity pulls you on, also where nobody asks for it.",
    cost: "It takes time, and it can be tiring for people who would rather settle a matter and move on.",
    question: "Which question would you like to follow just because it interests you?",
  },
  Independence: {
    high: "You want to decide for yourself how your days go and what you take on. A plan that others make for you feels tight quickly.",
    cost: "Help is harder to accept, and joint plans take more talking.",
    question: "Where would you gladly let somebody else decide, and where on no account?",
  },
  Novelty: {
    high: "New places, new tasks and a little risk wake you up. When things run by themselves, you start to look around.",
    cost: "What needs patience and repetition gets less of you, and beginnings outnumber endings.",
    question: "What have you not done for the first time in a while?",
  },
  Enjoyment: {
    high: "You notice what is good right now: food, warmth, music, an idle hour. Life is there to be tasted as well as managed.",
    cost: "What pays off late has a hard time against what is lovely today.",
    question: "What do you enjoy most that costs next to nothing, and when did you last have it?",
  },
  Accomplishment: {
    high: "You want to be good at what you do, and you want it to be seen. A clear goal gives you energy.",
    cost: "A day without a result can feel wasted, and rest has to be earned.",
    question: "Which success of yours would still count for you if nobody ever heard of it?",
  },
  Influence: {
    high: "You like to have a hand on the wheel. Where things drift, you step in and say which way.",
    cost: "Whoever leads carries the blame as well, and hears fewer honest objections.",
    question: "What would you like to set in motion, and who would it be good for?",
  },
  "Material Means": {
    high: "Money and good things mean room to move: they let you choose, give and shape your surroundings.",
    cost: "Earning and keeping take hours and attention, and there is no natural point at which it is enough.",
    question: "What does money make possible for you that you would miss most?",
  },
  "Good Standing": {
    high: "It matters to you how you come across and that people can respect you. You take care of your name.",
    cost: "Showing a weakness or changing your mind in public comes hard.",
    question: "With whom can you be seen at your worst without it costing you anything?",
  },
  "Personal Safety": {
    high: "You look ahead and take care that nothing happens to you and yours. Calm comes when the door is locked and things are in order.",
    cost: "Caution also keeps out some of what would have gone well.",
    question: "What makes you feel safe, and how much of it is enough?",
  },
  "Social Stability": {
    high: "You want a country and a community that hold together and can be relied on. Order is what lets everybody else get on with their lives.",
    cost: "Change in society can look like damage before it has shown what it is.",
    question: "Which part of the order around you would you stand up for yourself?",
  },
  Heritage: {
    high: "Customs, stories and festivals tie you to those who came before. You like to do some things the way they have long been done.",
    cost: "What has been handed down can press, on you and on those who want to do it differently.",
    question: "Which custom would you like to pass on, and which could end with you?",
  },
  "Rule Respect": {
    high: "An agreement is an agreement for you, also when nobody is watching. You do what your place asks of you.",
    cost: "Where a rule no longer makes sense, you may keep it longer than is good for anybody.",
    question: "Which rule do you keep gladly, and which one only because it is there?",
  },
  Consideration: {
    high: "You sense what could hurt or annoy, and you take the edge off before it does. People find it easy to be around you.",
    cost: "Your own annoyance stays unsaid, and some conflicts arrive later and larger.",
    question: "What have you kept to yourself lately to spare somebody?",
  },
  Modesty: {
    high: "You see yourself as one among many and leave the stage to others without regret. Praise is pleasant, but you do not go looking for it.",
    cost: "What you do well may go unseen, and others may take the credit.",
    question: "Who knows what you contribute, and who would be good to tell?",
  },
  Reliability: {
    high: "Your word holds. Friends and family know that you come when you said you would.",
    cost: "Those who can be counted on are counted on, and a no comes late.",
    question: "Which promise would you give again today, and which one would you not?",
  },
  Caring: {
    high: "The people close to you come first in your thoughts. You notice when somebody is not well, and you do something about it.",
    cost: "Your own tiredness is easy to overlook, and help can become a habit that nobody asked for.",
    question: "Who looks after you, and do you let them?",
  },
  Fairness: {
    high: "Unequal treatment does not leave you cold, also when it does not concern you. Everybody is to have the same chance and the same protection.",
    cost: "There is more injustice than one person can set right, and looking on hurts.",
    question: "Where is the smallest place in which you can make something fairer?",
  },
  Nature: {
    high: "Animals, plants and landscapes are worth protecting for their own sake. Being outside restores you.",
    cost: "Convenient choices come with a bad conscience, and much is out of your hands.",
    question: "Which piece of nature is yours to care for?",
  },
  Acceptance: {
    high: "You want to understand people who live and think in other ways, before you judge. Differences make you curious.",
    cost: "A clear stand takes you longer, and some people would like you on their side.",
    question: "Whose view would you like to understand better, although you do not share it?",
  },
};
