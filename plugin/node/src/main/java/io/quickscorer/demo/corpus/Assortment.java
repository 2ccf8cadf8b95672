// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import java.util.List;

/** The words for the products of the generated shop: brands, series, and words per department. */
final class Assortment {
  /**
   * A department of the shop, with the words for its products.
   *
   * @param price the median price of the department's products
   * @param nouns the kinds of products
   * @param materials the words for materials
   * @param traits the words for properties
   * @param uses the words for uses
   * @param accessory the kinds of accessories, as in "carry bag for ..."
   */
  record Department(
      String name,
      double price,
      List<String> nouns,
      List<String> materials,
      List<String> traits,
      List<String> uses,
      List<String> accessory) {}

  static final List<String> BRANDS =
      words(
          "Alderby,Bramhold,Corvane,Dunmere,Eskdal,Fernlock,Garrowe,Halvik,Isenmoor,"
              + "Jorvane,Kestrel & Pine,Lindqvarn,Morrowfield,Norhaven,Ostrava Works,Pellworth,"
              + "Quillan,Ravensby,Skarholt,Tarnbeck,Umberley,Varnholm,Westrigg,Yarrowdale");

  static final List<String> SERIES =
      words(
          "Arc,Basecamp,Civic,Delta,Everyday,Fjord,Grand,Horizon,Ion,Journey,Kite,Lite,"
              + "Meridian,Nova,One,Pioneer,Quest,Ridge,Summit,Terra,Urban,Vista");

  static final List<Department> DEPARTMENTS =
      List.of(
          department(
              "Camping",
              95,
              "tent,sleeping bag,camping stove,hammock,camping chair,lantern,cool box,sleeping mat",
              "nylon,polyester,canvas,aluminium,ripstop",
              "two person,four person,ultralight,insulated,folding,waterproof",
              "hiking,festivals,winter camping,family trips,bikepacking",
              "carry bag,repair kit,replacement poles,ground sheet"),
          department(
              "Hiking",
              80,
              "backpack,hiking boots,trekking poles,rain jacket,fleece jacket,water bottle,head"
                  + " torch,gaiters",
              "leather,gore membrane,recycled polyester,carbon,steel",
              "waterproof,lightweight,breathable,women's,men's,30 litre,50 litre",
              "alpine tours,day hikes,trail running,commuting",
              "rain cover,spare laces,care wax,clip"),
          department(
              "Kitchen",
              45,
              "frying pan,saucepan,chef's knife,cutting board,kettle,toaster,blender,coffee"
                  + " grinder,baking tray,wok",
              "cast iron,stainless steel,copper,bamboo,ceramic,glass",
              "non-stick,induction,compact,electric,dishwasher safe,large",
              "baking,everyday cooking,small kitchens,stir frying",
              "lid,replacement handle,cleaning brush,stand"),
          department(
              "Coffee",
              120,
              "espresso machine,milk frother,coffee maker,french press,burr grinder,pour over set",
              "stainless steel,glass,brass,walnut",
              "automatic,manual,compact,dual boiler,programmable",
              "offices,home baristas,travel",
              "descaling tablets,filter basket,tamper,knock box"),
          department(
              "Furniture",
              240,
              "desk,office chair,bookshelf,sofa,bed frame,bar stool,coffee table,wardrobe",
              "oak,pine,walnut,velvet,leather,steel",
              "adjustable,standing,ergonomic,corner,extendable,small",
              "home offices,small flats,children's rooms,reading corners",
              "replacement castors,slip cover,cable tray,cushion"),
          department(
              "Lighting",
              55,
              "desk lamp,floor lamp,ceiling light,string lights,night light,wall light",
              "brass,linen,glass,concrete,paper",
              "dimmable,led,rechargeable,smart,outdoor",
              "reading,gardens,bedrooms,studios",
              "replacement bulb,lamp shade,extension cable"),
          department(
              "Audio",
              130,
              "headphones,earbuds,bluetooth speaker,turntable,soundbar,microphone",
              "aluminium,walnut,fabric,leather",
              "wireless,noise cancelling,portable,waterproof,usb",
              "podcasts,gaming,parties,commuting",
              "ear pads,charging case,wall mount,replacement stylus"),
          department(
              "Computers",
              310,
              "laptop,monitor,mechanical keyboard,mouse,webcam,docking station,graphics tablet",
              "aluminium,magnesium,recycled plastic",
              "wireless,ergonomic,4k,ultrawide,backlit,13 inch,15 inch,27 inch",
              "programming,gaming,photo editing,video calls",
              "sleeve,screen protector,wrist rest,usb cable"),
          department(
              "Cycling",
              150,
              "bicycle helmet,bike light,bike lock,city bike,mountain bike,cycling gloves,pannier",
              "carbon,aluminium,steel,leather",
              "reflective,foldable,electric,waterproof,kids",
              "commuting,touring,mountain trails",
              "mounting bracket,spare tube,chain oil,cover"),
          department(
              "Garden",
              60,
              "lawn mower,garden hose,pruning shears,watering can,raised bed,garden"
                  + " bench,wheelbarrow",
              "teak,galvanised steel,rattan,copper",
              "cordless,expandable,self-propelled,weatherproof,foldable",
              "balconies,vegetable gardens,large lawns",
              "replacement blade,hose connector,protective cover"),
          department(
              "Tools",
              85,
              "cordless drill,circular saw,screwdriver set,tool box,workbench,orbital sander,laser"
                  + " level",
              "chrome vanadium,steel,hardwood",
              "brushless,18 volt,compact,heavy duty,magnetic",
              "furniture building,renovation,workshops",
              "spare battery,drill bits,saw blade,charger"),
          department(
              "Baby and toys",
              50,
              "stroller,high chair,building blocks,wooden train,baby monitor,play mat,puzzle",
              "beech wood,organic cotton,foam",
              "foldable,washable,500 piece,convertible,travel",
              "newborns,toddlers,long journeys",
              "rain cover,cup holder,seat liner"));

  private Assortment() {}

  private static Department department(
      String name,
      double price,
      String nouns,
      String materials,
      String traits,
      String uses,
      String accessory) {
    return new Department(
        name, price, words(nouns), words(materials), words(traits), words(uses), words(accessory));
  }

  private static List<String> words(String list) {
    return List.of(list.split(","));
  }
}
