/** The one category system of tasks, skills and capabilities (interface: "Category"). Icons are Unicode emoji. */
export const categories = [
  { code: 'tech_dev', label: 'Software & IT', icon: '💻', description: 'Programming, integration, hosting, support' },
  { code: 'design', label: 'Design', icon: '🎨', description: 'Graphic, product, interface and brand design' },
  { code: 'copywriting', label: 'Copywriting', icon: '✍️', description: 'Texts for web, print and product' },
  { code: 'translation', label: 'Translation', icon: '🌐', description: 'Translation, localisation, interpreting' },
  { code: 'data', label: 'Data', icon: '📊', description: 'Collection, cleaning, analysis and delivery of data' },
  { code: 'consulting', label: 'Consulting', icon: '🧭', description: 'Expert advice and second opinions' },
  { code: 'marketing', label: 'Marketing', icon: '📣', description: 'Campaigns, search and social media' },
  { code: 'video', label: 'Video', icon: '🎬', description: 'Filming, editing, animation' },
  { code: 'audio', label: 'Audio', icon: '🎧', description: 'Voice, music, podcasts, sound' },
  { code: 'education', label: 'Education', icon: '🎓', description: 'Teaching, tutoring, course material' },
  { code: 'life_service', label: 'Everyday services', icon: '🏠', description: 'Errands, cleaning, help at home' },
  { code: 'business', label: 'Business services', icon: '💼', description: 'Operations, research, sales support' },
  { code: 'legal_finance', label: 'Legal & finance', icon: '⚖️', description: 'Contracts, accounting, tax' },
  { code: 'photography', label: 'Photography', icon: '📷', description: 'Shooting and retouching' },
  { code: 'ecommerce', label: 'E-commerce', icon: '🛒', description: 'Shops, listings, order handling' },
  { code: 'ai_automation', label: 'AI & automation', icon: '🤖', description: 'Models, agents, workflows' },
  { code: 'academic', label: 'Academic', icon: '🔬', description: 'Literature, statistics, editing' },
  { code: 'illustration', label: 'Illustration', icon: '🖌️', description: 'Drawings, comics, concept art' },
  { code: 'repair', label: 'Repair', icon: '🔧', description: 'Devices, vehicles, household' },
  { code: 'health', label: 'Health', icon: '🩺', description: 'Fitness, nutrition, wellbeing' },
  { code: 'hr_admin', label: 'HR & administration', icon: '🗂️', description: 'Recruiting, office work, scheduling' },
  { code: 'other', label: 'Other', icon: '📦', description: 'What fits nowhere else' },
] as const;

export type CategoryCode = (typeof categories)[number]['code'];
export const categoryCodes = categories.map((category) => category.code);
